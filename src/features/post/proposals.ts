import { fold } from '#schema/fold'
import type { SpecField } from '#schema/wire/catalogue'
import type { LocalizedText } from '#schema/wire/shapes'
import titleWords from './titleWords.json' with { type: 'json' }

type Values = Readonly<Record<string, string>>
type Phrases = readonly (readonly string[])[]
type WordLists = Readonly<Record<string, readonly string[]>>

const unitNames: WordLists = titleWords.units
const optionWords: WordLists = titleWords.options
const gigabytesOf: Readonly<Record<string, number>> = titleWords.gigabytes

/** The title as words; each belongs to at most one value. */
interface Title {
  readonly words: readonly string[]
  readonly used: boolean[]
}

interface Place {
  readonly at: number
  readonly length: number
}

/** What a title leaves open is not guessed. */
export function proposalsFrom(title: string, fields: readonly SpecField[]): Values {
  const text: Title = { words: splitWords(title.replace(PAIR, '$1 Go $2 Go')), used: [] }
  const found: Record<string, string> = {}
  addSuggestions(text, fields, found)
  addMemory(text, fields, found)
  for (const read of [quantityOf, optionOf, yearOf])
    for (const field of fields.filter(({ name }) => !(name in found))) {
      const value = read(text, field)
      if (value !== null) found[field.name] = value
    }
  return found
}

/** A proposal replaces an earlier one; what a person wrote or cleared stays. */
export function withProposals(
  specs: Values,
  proposed: readonly string[],
  proposals: Values,
): { specs: Record<string, string>; proposed: string[] } {
  const written = Object.entries(specs).filter(([name]) => !proposed.includes(name))
  const names = new Set(written.map(([name]) => name))
  const fresh = Object.entries(proposals).filter(([name]) => !names.has(name))
  return {
    specs: Object.fromEntries([...written, ...fresh]),
    proposed: fresh.map(([name]) => name),
  }
}

/** "8/256 Go", "8+256": RAM and storage. */
const PAIR = /\b(\d{1,2})\s*[/+]\s*(16|32|64|128|256|512)(?!\d)(?:\s*(?:go|gb|g)\b)?/giu

const onlyOne = <T>(all: readonly T[]): T | undefined => (all.length === 1 ? all[0] : undefined)

/** Folded, and split between digits and letters: "256Go" is "256 go", "RAV4" is "rav 4". */
function splitWords(text: string) {
  return (
    fold(text)
      .replace(/œ/gu, 'oe')
      .replace(/²/gu, '2')
      .replace(/³/gu, '3')
      .match(/\p{N}+(?:[.,]\p{N}+)*|\p{L}+/gu) ?? []
  )
}

function find({ words, used }: Title, phrase: readonly string[]): Place | null {
  if (phrase.length === 0) return null
  for (let at = 0; at + phrase.length <= words.length; at += 1)
    if (phrase.every((word, i) => used[at + i] !== true && sameWord(words[at + i] ?? '', word)))
      return { at, length: phrase.length }
  return null
}

function mark({ used }: Title, { at, length }: Place) {
  for (let i = at; i < at + length; i += 1) used[i] = true
}

/** Also in the plural or the feminine: "neufs", "bleue". */
function sameWord(word: string, wanted: string) {
  if (word === wanted) return true
  return wanted.length > 3 && /^\p{L}/u.test(wanted) && /^(?:e|s|x|es)$/u.test(endOf(word, wanted))
}

const endOf = (word: string, start: string) =>
  word.startsWith(start) ? word.slice(start.length) : ' '

/** Longest first, so that "iPhone 13 Pro Max" is not an "iPhone 13". */
function longest(text: Title, names: Iterable<string>): { name: string; place: Place } | null {
  const all = [...names].flatMap((name) => {
    const place = find(text, splitWords(name))
    return place ? [{ name, place }] : []
  })
  return all.toSorted((a, b) => b.place.length - a.place.length)[0] ?? null
}

/** A model names its brand, too. */
function addSuggestions(text: Title, fields: readonly SpecField[], found: Record<string, string>) {
  for (const { name, suggestions } of fields) {
    const telling = suggestions.filter((one) => isTelling(one, name))
    const one = longest(text, telling) ?? afterLabel(text, name, suggestions)
    if (!one) continue
    mark(text, one.place)
    found[name] = one.name
  }
  for (const { name, suggestions_by: by } of fields) {
    if (!by) continue
    const known = found[by.field]
    const isUnknown = known === undefined
    const lists = Object.entries(by.values).filter(([value]) => isUnknown || value === known)
    const models = lists.flatMap(([, models]) =>
      isUnknown ? models.filter((model) => isTelling(model)) : models,
    )
    const one = longest(text, models)
    if (!one) continue
    const owner = onlyOne(lists.filter(([, models]) => models.includes(one.name)))
    if (!owner) continue
    mark(text, one.place)
    found[by.field] = owner[0]
    found[name] = one.name + variantAfter(text, one.place)
  }
}

/** Short and numeric ones ("M", "42") also mean other things; a brand may be short ("HP"). */
const isTelling = (name: string, field = '') =>
  field === 'brand' ? name.length > 1 : name.length > 2 && !/^\d+$/u.test(name)

function afterLabel(text: Title, field: string, suggestions: readonly string[]) {
  if (field !== 'size') return null
  for (const label of titleWords.sizeLabels) {
    const one = longest(
      text,
      suggestions.map((name) => `${label} ${name}`),
    )
    if (one) return { ...one, name: one.name.slice(label.length + 1) }
  }
  return null
}

/** "Pro" behind a model that is listed without it. */
function variantAfter(text: Title, { at, length }: Place): string {
  const word = text.words[at + length]
  const variant = titleWords.variants.find((one) => one.toLowerCase() === word)
  if (variant === undefined) return ''
  const next = { at: at + length, length: 1 }
  mark(text, next)
  return ` ${variant}${variantAfter(text, next)}`
}

/** Numbers before one of the units, with their thousands: "120 000 km". */
function quantities(
  { words, used }: Title,
  units: Phrases,
): readonly (Place & { readonly number: string })[] {
  return words.flatMap((word, at) => {
    if (!/^\d/u.test(word) || used[at] === true) return []
    let end = at + 1
    let number = word
    while (/^\d{3}$/u.test(words[end] ?? '') && /^\d{1,3}$/u.test(word)) {
      number += words[end] ?? ''
      end += 1
    }
    const isPart = at > 0 && /^\d{3}$/u.test(word) && /^\d{1,3}$/u.test(words[at - 1] ?? '')
    const unit = units.find((one) => one.every((part, i) => words[end + i] === part))
    return unit && !isPart ? [{ number, at, length: end - at + unit.length }] : []
  })
}

function unitsOf(unit: LocalizedText) {
  return phrasesOf([unit.fr, unit.en, ...(unitNames[unit.fr] ?? [])])
}

function phrasesOf(names: readonly string[]) {
  return names.map((name) => splitWords(name)).filter((words) => words.length > 0)
}

function quantityOf(text: Title, field: SpecField) {
  if (field.type !== 'integer' && field.type !== 'text') return null
  const units = field.unit ? unitsOf(field.unit) : countedBy(field)
  const one = onlyOne(quantities(text, units).filter(({ number }) => isWithin(field, number)))
  if (!one) return null
  mark(text, one)
  return one.number.replace(THOUSANDS, '')
}

/** "3 chambres": a number before the field's own name. */
function countedBy({ type, label, name }: SpecField) {
  if (type !== 'integer' || name.startsWith('year') || name === 'quantity') return []
  return [label.fr, label.en].flatMap(alternatives).flatMap((words) => {
    const word = onlyOne(words)
    return word === undefined ? [] : [[word], [word.replace(/s$/u, '')]]
  })
}

const THOUSANDS = /(?<=^\d{1,3}(?:[.,]\d{3})*)[.,](?=\d{3}(?:[.,]|$))/gu

function isWithin({ type, min, max }: SpecField, number: string) {
  if (type === 'text') return true
  const value = Number(number.replace(THOUSANDS, ''))
  return Number.isInteger(value) && value >= (min ?? value) && value <= (max ?? value)
}

/**
 * Amounts such as "256 Go": of two, the smaller is the RAM; one alone must be an option of one
 * field only.
 */
function addMemory(text: Title, fields: readonly SpecField[], found: Record<string, string>) {
  const sized = fields.filter((field) => field.type === 'enum' && amountsOf(field).length > 0)
  if (sized.length === 0) return
  const ram = sized.find(({ name }) => name === 'ram')
  const others = sized.filter((field) => field !== ram)
  const given = amountsIn(text)
  const named = given.find(({ at, length }) =>
    titleWords.memory.some((word) => [text.words[at - 1], text.words[at + length]].includes(word)),
  )
  const rest = given.filter((one) => one !== named)
  const twoUnnamed = rest.length === 2 && named === undefined
  const [small, large] = rest.toSorted((a, b) => a.gigabytes - b.gigabytes)
  const forRam = named ?? (twoUnnamed ? small : undefined)
  if (ram && forRam) take(ram, forRam)
  if (twoUnnamed && large) for (const field of others) take(field, large)
  const alone = onlyOne(rest)
  if (!alone) return
  const field = onlyOne((named ? others : sized).filter((one) => valueFor(one, alone) !== null))
  if (field) take(field, alone)

  function take(field: SpecField, amount: Amount) {
    const value = valueFor(field, amount)
    if (value === null) return
    mark(text, amount)
    found[field.name] = value
  }
}

interface Amount extends Place {
  readonly gigabytes: number
}

const amountsOf = ({ options }: SpecField) =>
  (options ?? []).flatMap(({ value, label }) => {
    const [number = '', unit = '', ...more] = splitWords(label.fr)
    const times = more.length === 0 && unit !== 'g' ? gigabytesOf[unit] : undefined
    return times === undefined || !/^\d+$/u.test(number)
      ? []
      : [{ value, gigabytes: Number(number) * times }]
  })

function valueFor(field: SpecField, { gigabytes }: Pick<Amount, 'gigabytes'>) {
  return amountsOf(field).find((one) => one.gigabytes === gigabytes)?.value ?? null
}

/** "5G" is a network. */
function amountsIn({ words, used }: Title) {
  return words.flatMap((word, at): Amount[] => {
    const unit = words[at + 1] ?? ''
    const times = gigabytesOf[unit]
    if (times === undefined || used[at] === true || !/^\d{1,4}$/u.test(word)) return []
    if (unit === 'g' && Number(word) < 6) return []
    return [{ gigabytes: Number(word) * times, at, length: 2 }]
  })
}

/** Their words state something else in a title. */
const NOT_STATED: readonly string[] = ['other', 'none']
/** A tablet's model may also name a phone. */
const FIRST = 'tablet'

function optionOf(text: Title, field: SpecField) {
  if (field.type === 'boolean') return statedFlag(text, field)
  if (field.type !== 'enum' || amountsOf(field).length > 0) return null
  const all = (field.options ?? [])
    .filter(({ value }) => !NOT_STATED.includes(value))
    .flatMap(({ value, label }) => {
      const phrases = [
        ...[label.fr, label.en].flatMap(alternatives),
        ...(optionWords[value] ?? []).map((one) => splitWords(one)),
      ]
      // A model that is already recognised may name the option.
      const title = field.name === 'device_type' ? { ...text, used: [] } : text
      const places = phrases.flatMap((phrase) => find(title, phrase) ?? [])
      const [place] = places.toSorted((a, b) => b.length - a.length)
      return place ? [{ value, place }] : []
    })
  const most = Math.max(0, ...all.map(({ place }) => place.length))
  const best = all.filter(({ value, place }) => value === FIRST || place.length === most)
  const one = best.find(({ value }) => value === FIRST) ?? onlyOne(best)
  if (!one) return null
  mark(text, one.place)
  return one.value
}

function statedFlag(text: Title, { label }: SpecField) {
  for (const phrase of [label.fr, label.en].flatMap(alternatives)) {
    const place = find(text, phrase)
    if (!place) continue
    return titleWords.negations.includes(text.words[place.at - 1] ?? '') ? null : 'true'
  }
  return null
}

/** "Terrain / parcelle" and "Diesel (gasoil)" each have two names. */
function alternatives(label: string) {
  return phrasesOf(label.split(/[/()]/u))
}

/** The last one within the bounds and without a unit. */
function yearOf({ words, used }: Title, field: SpecField) {
  if (field.type !== 'integer' || !field.name.startsWith('year')) return null
  const years = words.filter(
    (word, at) =>
      /^\d{4}$/u.test(word) &&
      used[at] !== true &&
      isWithin(field, word) &&
      !titleWords.notYears.includes(words[at + 1] ?? ''),
  )
  return years.at(-1) ?? null
}
