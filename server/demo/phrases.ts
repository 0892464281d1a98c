import { elides } from '#schema/elision'
import type { Location } from './location.ts'
import type { Random } from './random.ts'
import { categoryOf, content, looksFraudulent, optionLabels, type Phrase } from './source.ts'
import { fits, type Subject } from './subject.ts'

/** Values of a phrase's placeholders; a missing one excludes the phrase. */
export type Placeholders = Readonly<Record<string, string | undefined>>

const figures = new Intl.NumberFormat('fr')
export const francs = (value: number): string => `${figures.format(value)}\u00a0F\u00a0CFA`
const capital = (text: string): string => text.charAt(0).toLocaleUpperCase('fr') + text.slice(1)
/** `Téléviseur` within a sentence, but `PC gamer`, `PlayStation 4` and `Xbox`. */
const lower = (text: string): string =>
  /^(?:\p{Lu}[\p{Ll}’-]+(?= |$|-|\/)|\p{Lu}’)/u.test(text) &&
  !/^(?:PlayStation|Nintendo|Xbox|Alpha)/.test(text)
    ? text.charAt(0).toLocaleLowerCase('fr') + text.slice(1)
    : text

function word(category: string, field: string, value: string | number | boolean) {
  if (typeof value === 'boolean' || value === '') return undefined
  const label = optionLabels.get(`${category} ${field} ${value}`)
  if (label !== undefined) return lower(label)
  if (typeof value === 'number') return value < 10_000 ? `${value}` : figures.format(value)
  return /^\d+\.\d+$/.test(value) ? value.replace('.', ',') : value
}

export function placeholdersFor(
  { category, facts, agreement: { feminine, plural }, price, look, name }: Subject,
  location: Location,
  choice: Random,
): Placeholders {
  const town = location.town?.name
  const number = plural ? 's' : ''
  // Who seeks a job writes one of the two forms.
  const item = facts['ad_kind'] === 'seek' ? choice.pick(name.split(' ou ')) : name
  const [masculine, feminineColour] = content.colours[look.colour] ?? []
  const colour = (feminine ? feminineColour : masculine) ?? look.colour
  return {
    ...Object.fromEntries(
      Object.entries(facts).map(([field, value]) => [field, word(category, field, value)]),
    ),
    item: capital(item),
    item_lc: lower(item),
    color: plural && !/[sx]$|marron/.test(colour) ? `${colour}s` : colour,
    town,
    quartier: location.neighbourhood?.name ?? town,
    place: choice.pick(content.common.places),
    price: price === null ? undefined : francs(price),
    e: `${feminine ? 'e' : ''}${number}`,
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
  const text = template.replaceAll(
    /(\b[Dd])?(e )?\{(\w+)\}/g,
    (_, d = '', e = '', name: string) => {
      const value = words[name]
      if (value === undefined) complete = false
      return `${d}${d && e && value && elides(value) ? '’' : e}${value ?? ''}`
    },
  )
  return complete ? text : null
}

/** The list in random order, filled as far as the facts allow. */
function* drawnFrom(
  list: readonly Phrase[],
  { facts }: Subject,
  words: Placeholders,
  choice: Random,
  change = (template: string) => template,
): Generator<string> {
  const left = list.filter(({ when }) => fits(when, facts))
  while (left.length > 0) {
    const [{ t } = { t: '' }] = left.splice(choice.whole(0, left.length - 1), 1)
    const text = fillTemplate(change(t), words)
    if (text !== null) yield text
  }
}

/** At most 80 characters; `long` makes 70 to 80, to test the layout of cards. */
export function makeTitle(
  subject: Subject,
  words: Placeholders,
  long: boolean,
  choice: Random,
): string {
  const { titles } = categoryOf(subject.category)
  const order = (template: string) =>
    subject.brandAfter
      ? template.replace('{brand} {item', '{item').replace(/(\{item\w*\})/, '$1 {brand}')
      : template
  let title = words.item ?? subject.name
  for (const text of drawnFrom(titles, subject, words, choice, order))
    if (text.length >= 5 && text.length <= 80) {
      title = text
      break
    }
  if (long)
    for (const ending of drawnFrom(content.title_endings, subject, words, choice))
      if (title.length < 70 && title.length + ending.length <= 80) title += ending
  return capital(title)
}

/** Two to six sentences: most written well, some without a full stop, some in capitals. */
export function makeDescription(subject: Subject, words: Placeholders, choice: Random): string {
  const { open, facts, state, extra } = categoryOf(subject.category).parts
  const sentences: string[] = []
  const add = (phrases: readonly Phrase[], times = 1) => {
    for (const text of drawnFrom(phrases, subject, words, choice)) {
      if (times <= 0) return
      if (sentences.includes(capital(text))) continue
      sentences.push(capital(text))
      times -= 1
    }
  }
  add(open)
  add(facts, choice.whole(0, 2))
  add(state)
  add(extra, choice.whole(0, 1))
  const { price, meet, delivery, close } = content.common
  const goods = !['properties', 'jobs', 'services'].includes(subject.category)
  const priced = subject.price !== null && subject.category !== 'jobs'
  for (const list of [priced ? price : [], goods ? meet : [], goods ? delivery : [], close])
    if (sentences.length < 6 && choice.chance(0.4)) add(list)
  if (sentences.length < 2) add(close)
  // Two honest sentences can make one suspicious text.
  while (looksFraudulent(sentences.join(' '))) sentences.pop()
  const text = sentences.join(choice.chance(0.3) ? '\n' : ' ')
  const habit = choice.weigh({ care: 0.91, noStop: 0.06, capitals: 0.03 })
  if (habit === 'noStop') return text.replace(/[.!]$/, '')
  return habit === 'capitals' ? text.toLocaleUpperCase('fr') : text
}
