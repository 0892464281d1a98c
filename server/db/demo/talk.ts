import { demoId } from './ids.ts'
import { francs } from './labels.ts'
import { CALENDAR, type DemoListing, type Offer } from './listing.ts'
import { ACCOUNTS, type Person } from './person.ts'
import { say, wordsFor } from './phrases.ts'
import { lottery, type Random, random } from './random.ts'
import { content, type Dialogue } from './source.ts'
import { anyTown } from './spot.ts'

interface DemoMessage {
  readonly id: string
  readonly seq: number
  readonly from: 'buyer' | 'seller'
  readonly text: string
  /** ms before the demo's now. */
  readonly ago: number
  /** The number of an own picture of the listing that is sent along. */
  readonly picture: number | null
}

export interface DemoTalk {
  readonly n: number
  readonly id: string
  readonly listing: DemoListing
  readonly buyer: Person
  readonly messages: readonly DemoMessage[]
  readonly unread: { readonly buyer: number; readonly seller: number }
}

const MINUTE = 60_000
const NAMED_LENGTH = 120

/** Conversation 0 is that of the named accounts; the others are of anybody about anything, one per listing and buyer. */
export function* talksOf(people: readonly Person[], offers: readonly Offer[], draw: (n: number) => DemoListing, count: number): Generator<DemoTalk> {
  const buyer = people[ACCOUNTS.buyer]
  if (!buyer || offers.length === 0) return
  yield drawTalk(0, draw(0), buyer)
  const asked = offers.filter(({ seller, postedAgo }) => seller.n !== ACCOUNTS.seller && postedAgo !== null)
  if (asked.length === 0) return
  const popular = lottery(asked, ({ views }) => views + 1)
  const pairs = new Set<string>()
  for (let n = 1; n < count; n += 1) {
    const choice = random('talk', n)
    const [about, who] = [popular(choice), choice.pick(people)]
    const pair = `${about.n} ${who.n}`
    if (who.n < 3 || who.n === about.seller.n || pairs.has(pair)) continue
    pairs.add(pair)
    yield drawTalk(n, draw(about.n), who)
  }
}

function drawTalk(n: number, listing: DemoListing, buyer: Person): DemoTalk {
  const choice = random('words of talk', n)
  const turns = drawTurns(n, listing, choice)
  // The last word fell some time after the listing was published; what came before it lies before.
  const times = [n === 0 ? 180 * MINUTE : choice.next() ** 2 * Math.min(listing.postedAgo ?? 0, 60 * 1440 * MINUTE)]
  for (let left = turns.length - 1; left > 0; left -= 1) times.unshift((times[0] ?? 0) + Math.max(0.2, Math.exp(choice.normal(2.5, 1.4))) * MINUTE)
  const attached = n > 0 && choice.chance(0.04 * turns.length) ? choice.whole(0, turns.length - 1) : -1
  const messages = turns.map(({ from, text }, at): DemoMessage => {
    const ago = Math.round(times[at] ?? 0)
    return { id: demoId(CALENDAR - ago, 'message', n, at), seq: at + 1, from, text, ago, picture: at === attached ? 7 : null }
  })
  return { n, id: demoId(CALENDAR - (messages[0]?.ago ?? 0), 'talk', n), listing, buyer, messages, unread: drawUnread(n, messages, choice) }
}

type Turn = Dialogue['turns'][number]

function drawTurns(n: number, listing: DemoListing, choice: Random): Turn[] {
  const all = fitting(listing)
  const left = [...(n > 0 && choice.chance(0.01) ? content.dialogues.scam : all)]
  const wanted = n === 0 ? NAMED_LENGTH : choice.chance(0.01) ? choice.whole(80, 100) : choice.chance(0.15) ? 6 : 1
  const turns: Turn[] = []
  while (turns.length < wanted) {
    const sensible = turns.length > 0 ? left : left.filter(({ topic }) => !LATER.includes(topic))
    const dialogue = choice.pick(sensible.length > 0 ? sensible : all)
    if (left.includes(dialogue)) left.splice(left.indexOf(dialogue), 1)
    turns.push(...spoken(dialogue, listing, choice))
  }
  return n === 0 ? turns.slice(0, NAMED_LENGTH) : turns
}

/** Talk that goes with the thing: nobody asks a plumber for the papers of the moto. */
const TOPICS: Record<string, string[]> = {
  motos: ['papers', 'exchange', 'condition', 'wholesale'],
  vehicles: ['papers', 'exchange'],
  'mobile-tablet': ['condition', 'exchange', 'wholesale'],
  properties: ['rent', 'papers'],
  services: ['service'],
  jobs: ['job'],
  animals: ['animals'],
  fashion: ['size', 'wholesale'],
}
const ANYWHERE = ['availability', 'price', 'meeting', 'no_answer', 'offline', 'polite_refusal', 'photo']
const GOODS = ['delivery', 'after_sale']
/** Nobody begins with these. */
const LATER = ['after_sale', 'polite_refusal', 'offline', 'photo']
/** Words that give away what a dialogue is about, for topics that several categories share. */
const BETRAYS: readonly (readonly [RegExp, string])[] = [
  [/moto a tous/i, 'motos'],
  [/voiture|mécanicien/i, 'vehicles'],
  [/mécanicien/i, 'motos'],
  [/parcelle|titre foncier/i, 'properties'],
  [/IMEI|écran|batterie|chargeur/i, 'mobile-tablet'],
  [/salon, le transport/i, 'home-garden'],
]

const fits = new Map<string, readonly Dialogue[]>()

function fitting({ subject, language }: DemoListing): readonly Dialogue[] {
  const key = `${language} ${subject.category}`
  const known = fits.get(key) ?? content.dialogues[language].filter(language === 'en' ? ({ topic }) => topic !== 'rent' || subject.category === 'properties' : (one) => suits(one, subject.category))
  fits.set(key, known)
  return known
}

function suits({ topic, turns }: Dialogue, category: string): boolean {
  const bare = ['jobs', 'services'].includes(category)
  const topics = [...(bare ? ['no_answer', 'offline'] : ANYWHERE), ...(TOPICS[category] ?? []), ...(bare || category === 'properties' ? [] : GOODS)]
  const betrayed = BETRAYS.filter(([sign]) => turns.some(({ text }) => sign.test(text))).map(([, about]) => about)
  return topics.includes(topic) && (betrayed.length === 0 || betrayed.includes(category))
}

function spoken(dialogue: Dialogue, listing: DemoListing, choice: Random): Turn[] {
  const { subject, spot, language } = listing
  const round = (value: number) => Math.max(500, Math.round(value / 500) * 500)
  const price = subject.price ?? 10_000
  const words = {
    ...wordsFor(subject, spot, language, choice),
    offer: francs(round(price * choice.between(0.7, 0.85)), language),
    counter: francs(round(price * choice.between(0.9, 0.97)), language),
    other_town: anyTown(choice).name,
    other_model: choice.pick(['Galaxy A12', 'Redmi 9A', 'Spark 10', 'Hot 12']),
    town: spot.town?.name ?? 'Ouagadougou',
    quartier: spot.neighbourhood?.name ?? spot.town?.name ?? 'Ouagadougou',
  }
  return dialogue.turns.map(({ from, text }) => ({ from, text: say(text, words) ?? text.replaceAll(/\{\w+\}/g, '') }))
}

/** A quarter of the conversations wait for somebody to read their end. */
function drawUnread(n: number, messages: readonly DemoMessage[], choice: Random): DemoTalk['unread'] {
  const last = messages.at(-1)?.from
  if (n === 0 || !choice.chance(0.25)) return { buyer: 0, seller: 0 }
  const tail = messages.length - 1 - messages.findLastIndex(({ from }) => from !== last)
  return last === 'buyer' ? { buyer: 0, seller: tail } : { buyer: tail, seller: 0 }
}
