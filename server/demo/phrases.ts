import { francs, type Language, type Placeholders } from './labels.ts'
import type { Random } from './random.ts'
import { content, looksFraudulent, type Phrase } from './source.ts'
import type { Location } from './location.ts'
import type { Subject } from './subject.ts'

export function placeholdersFor(
  subject: Subject,
  location: Location,
  language: Language,
  choice: Random,
): Placeholders {
  const town = location.town?.name
  const { feminine, plural } = subject.agreement
  const number = plural ? 's' : ''
  const ending = `${feminine ? 'e' : ''}${number}`
  return {
    ...subject[language],
    town,
    quartier: location.neighbourhood?.name ?? town,
    place: choice.pick(content.common.places),
    price_short: subject.price === null ? undefined : francs(subject.price, language),
    e: ending,
    s: number,
    neuf: `neu${feminine ? 've' : 'f'}${number}`,
    original: `origina${feminine ? 'le' : plural ? 'u' : 'l'}${plural ? (feminine ? 's' : 'x') : ''}`,
  }
}

export function fillTemplate(template: string, words: Placeholders): string | null {
  // "Visible à Kaya, Kaya": a neighbourhood with its town's name would repeat it.
  let complete = !(
    template.includes('{quartier}') &&
    template.includes('{town}') &&
    words.quartier === words.town
  )
  const text = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const word = words[name]
    if (word === undefined) complete = false
    return word ?? ''
  })
  return complete ? text : null
}

const capital = (text: string): string => text.charAt(0).toLocaleUpperCase('fr') + text.slice(1)
const fits = ({ t, when = {} }: Phrase, { facts }: Subject): boolean =>
  // Incubators have the category of animals, but no vaccination.
  !(facts.type === 'feed-accessories' && /vaccin|nourri|santé|race/i.test(t)) &&
  Object.entries(when).every(([fact, wanted]) =>
    (Array.isArray(wanted) ? wanted : [wanted]).includes(String(facts[fact])),
  )

/** At most 80 characters; `long` makes 70 to 80, to test the layout of cards. */
export function makeTitle(
  subject: Subject,
  words: Placeholders,
  language: Language,
  long: boolean,
  choice: Random,
): string {
  const titles =
    content.categories[subject.category]?.titles[language].filter((title) =>
      fits(title, subject),
    ) ?? []
  for (let left = titles; left.length > 0;) {
    const drawn = choice.pick(left)
    left = left.filter((title) => title !== drawn)
    const template = subject.brandAfter
      ? drawn.t.replace('{brand} {item', '{item').replace(/(\{item\w*\})/, '$1 {brand}')
      : drawn.t
    const text = fillTemplate(template, words)?.trim()
    if (text && text.length >= 5 && text.length <= 80)
      return capital(long ? lengthen(text, language, words, choice) : text)
  }
  return capital(subject[language].item ?? subject[language].item_en ?? subject.thing)
}

function lengthen(title: string, language: Language, words: Placeholders, choice: Random): string {
  let text = title
  for (let left = content.title_endings[language]; left.length > 0;) {
    const ending = choice.pick(left)
    left = left.filter((other) => other !== ending)
    const longer = text + (fillTemplate(ending, words) ?? '')
    if (text.length < 70 && longer.length <= 80) text = longer
  }
  return text
}

/** Two to six sentences: most written well, some without a full stop, some in capitals. */
export function makeDescription(
  subject: Subject,
  words: Placeholders,
  language: Language,
  negotiable: boolean,
  choice: Random,
): string {
  const parts = content.categories[subject.category]?.parts[language]
  if (!parts) throw new Error(`no phrases for ${subject.category}`)
  const sentences: string[] = []
  const add = (phrases: readonly Phrase[], times = 1) => {
    for (let n = 0; n < times; n += 1) {
      const left = phrases
        .filter((phrase) => fits(phrase, subject))
        .flatMap((phrase) => fillTemplate(phrase.t, words) ?? [])
      const fresh = left.map(capital).filter((text) => !sentences.includes(text))
      if (fresh.length > 0) sentences.push(choice.pick(fresh))
    }
  }
  add(parts.open)
  add(parts.facts, choice.whole(0, 2))
  add(parts.state)
  add(parts.extra, choice.whole(0, 1))
  const { common } = content
  const about = (list: readonly string[]): Phrase[] => list.map((t) => ({ t }))
  const prices =
    language === 'en'
      ? common.price.en
      : common.price.fr.filter((_, at) =>
          common.price_when[negotiable ? 'negotiable' : 'fixed'].includes(at),
        )
  const fixed = ['properties', 'jobs', 'services'].includes(subject.category)
  const priced = subject.price !== null && subject.category !== 'jobs'
  for (const list of [
    priced ? prices : [],
    fixed ? [] : common.meet[language],
    fixed ? [] : common.delivery[language],
    common.close[language],
  ]) {
    if (sentences.length < 6 && choice.chance(0.4)) add(about(list))
  }
  // Two honest sentences can make one suspicious text.
  while (looksFraudulent(sentences.join(' '))) sentences.pop()
  return written(sentences, choice)
}

function written(sentences: readonly string[], choice: Random): string {
  const text = sentences.join(choice.chance(0.3) ? '\n' : ' ')
  const habit = choice.weigh({ care: 0.91, noStop: 0.06, capitals: 0.03 })
  if (habit === 'noStop') return text.replace(/[.!]$/, '')
  return habit === 'capitals' ? text.toLocaleUpperCase('fr') : text
}
