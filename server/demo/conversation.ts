import { demoId } from './ids.ts'
import { CALENDAR, type DemoListing, type Offer } from './listing.ts'
import { ACCOUNTS, type Person } from './person.ts'
import { fillTemplate, francs, placeholdersFor } from './phrases.ts'
import { drawPairs, weightedChoice, type Random, random } from './random.ts'
import { content, type Dialogue } from './source.ts'
import { pickTown } from './location.ts'
import { fits } from './subject.ts'

export type DemoConversation = ReturnType<typeof makeConversation>

const MINUTE = 60_000
const NAMED_LENGTH = 120

/**
 * Conversation 0 belongs to the named accounts; the others have random buyers and listings, one per
 * pair.
 */
export function* conversationsOf(
  people: readonly Person[],
  offers: readonly Offer[],
  draw: (n: number) => DemoListing,
  count: number,
): Generator<DemoConversation> {
  const buyer = people[ACCOUNTS.buyer]
  if (!buyer || offers.length === 0) return
  yield makeConversation(0, draw(0), buyer)
  const asked = offers.filter(
    ({ seller, postedAgo }) => seller.n !== ACCOUNTS.seller && postedAgo !== null,
  )
  if (asked.length === 0) return
  const popular = weightedChoice(asked, ({ views }) => views + 1)
  yield* drawPairs('talk', count, (choice, n) => {
    const [about, who] = [popular(choice), choice.pick(people)]
    if (n === 0 || who.n < 3 || who.n === about.seller.n) return null
    return { pair: `${about.n} ${who.n}`, make: () => makeConversation(n, draw(about.n), who) }
  })
}

function makeConversation(n: number, listing: DemoListing, buyer: Person) {
  const choice = random('words of talk', n)
  const turns = makeTurns(n, listing, choice)
  // The last message is later than the listing's publication; the earlier ones precede it.
  const times = [
    n === 0
      ? 180 * MINUTE
      : choice.next() ** 2 * Math.min(listing.postedAgo ?? 0, 60 * 1440 * MINUTE),
  ]
  for (let left = turns.length - 1; left > 0; left -= 1)
    times.unshift((times[0] ?? 0) + Math.max(0.2, Math.exp(choice.normal(2.5, 1.4))) * MINUTE)
  const attached =
    n > 0 && choice.chance(0.04 * turns.length) ? choice.whole(0, turns.length - 1) : -1
  const messages = turns.map(({ from, text }, at) => {
    const ago = Math.round(times[at] ?? 0)
    return {
      id: demoId(CALENDAR - ago, 'message', n, at),
      seq: at + 1,
      from,
      text,
      /** ms before the demo's now. */
      ago,
      attached: at === attached,
    }
  })
  return {
    n,
    id: demoId(CALENDAR - (messages[0]?.ago ?? 0), 'talk', n),
    listing,
    buyer,
    messages,
    unread: pickUnread(n, messages, choice),
  }
}

type Turn = Dialogue['turns'][number]

function makeTurns(n: number, listing: DemoListing, choice: Random): Turn[] {
  const all = dialoguesFor(listing)
  const left = [...(n > 0 && choice.chance(0.01) ? content.dialogues.scam : all)]
  const wanted =
    n === 0
      ? NAMED_LENGTH
      : choice.chance(0.01)
        ? choice.whole(80, 100)
        : choice.chance(0.15)
          ? 6
          : 1
  const turns: Turn[] = []
  while (turns.length < wanted) {
    const sensible =
      turns.length > 0
        ? left
        : left.filter(({ topic }) => !content.topics.never_first.includes(topic))
    const dialogue = choice.pick(sensible.length > 0 ? sensible : all)
    if (left.includes(dialogue)) left.splice(left.indexOf(dialogue), 1)
    turns.push(...turnsOf(dialogue, listing, choice))
  }
  return n === 0 ? turns.slice(0, NAMED_LENGTH) : turns
}

function dialoguesFor({ subject: { category, facts } }: DemoListing): readonly Dialogue[] {
  const topics = topicsOf(category)
  return content.dialogues.ordinary.filter(
    ({ topic, categories, when }) =>
      topics.includes(topic) && (categories?.includes(category) ?? true) && fits(when, facts),
  )
}

function topicsOf(category: string): string[] {
  const { anywhere, without_goods, goods, by_category } = content.topics
  const bare = category === 'jobs' || category === 'services'
  return [
    ...(bare ? without_goods : anywhere),
    ...(by_category[category] ?? []),
    ...(bare || category === 'properties' ? [] : goods),
  ]
}

function turnsOf(dialogue: Dialogue, listing: DemoListing, choice: Random): Turn[] {
  const { subject, location } = listing
  const round = (value: number) => Math.max(500, Math.round(value / 500) * 500)
  const price = subject.price ?? 10_000
  const words = {
    ...placeholdersFor(subject, location, choice),
    offer: francs(round(price * choice.between(0.7, 0.85))),
    counter: francs(round(price * choice.between(0.9, 0.97))),
    other_town: pickTown(choice).name,
    other_model: choice.pick(content.other_models),
    town: location.town?.name ?? 'Ouagadougou',
    quartier: location.neighbourhood?.name ?? location.town?.name ?? 'Ouagadougou',
  }
  return dialogue.turns.map(({ from, text }) => ({
    from,
    text: fillTemplate(text, words) ?? text.replaceAll(/\{\w+\}/g, ''),
  }))
}

function pickUnread(n: number, messages: readonly Pick<Turn, 'from'>[], choice: Random) {
  const last = messages.at(-1)?.from
  if (n === 0 || !choice.chance(0.25)) return { buyer: 0, seller: 0 }
  const tail = messages.length - 1 - messages.findLastIndex(({ from }) => from !== last)
  return last === 'buyer' ? { buyer: 0, seller: tail } : { buyer: tail, seller: 0 }
}
