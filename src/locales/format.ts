import type { Language, LocalizedText } from '#schema/wire/shapes'
import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react'
import type { Sentence } from './problems.ts'

/** The largest unit first. Creating Intl.RelativeTimeFormat takes over 100 ms on a slow phone. */
const ages: readonly {
  readonly ms: number
  readonly one: MessageDescriptor
  several(count: number): MessageDescriptor
}[] = [
  { ms: 365 * 86_400_000, one: msg`il y a un an`, several: (count) => msg`il y a ${count} ans` },
  { ms: 30 * 86_400_000, one: msg`il y a un mois`, several: (count) => msg`il y a ${count} mois` },
  { ms: 7 * 86_400_000, one: msg`il y a 1 sem.`, several: (count) => msg`il y a ${count} sem.` },
  { ms: 86_400_000, one: msg`hier`, several: (count) => msg`il y a ${count} jours` },
  { ms: 3_600_000, one: msg`il y a 1 h`, several: (count) => msg`il y a ${count} h` },
  { ms: 60_000, one: msg`il y a 1 min`, several: (count) => msg`il y a ${count} min` },
]

const NBSP = '\u00a0'
/** Between groups of three digits in French. */
const THIN = '\u202f'

export type Format = ReturnType<typeof make>

/** Ouagadougou is at UTC all year. */
function make(language: Language) {
  const locale = language === 'fr' ? 'fr-FR' : 'en-GB'
  const timeZone = 'Africa/Ouagadougou'
  // None before it is used: each takes milliseconds to create on a slow phone.
  const day = once(() => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone }))
  const dayLong = once(
    () =>
      new Intl.DateTimeFormat(locale, { weekday: 'long', day: 'numeric', month: 'long', timeZone }),
  )
  const time = once(() => new Intl.DateTimeFormat(locale, { timeStyle: 'short', timeZone }))
  const [separator, point, kilo, mega, currency] =
    language === 'fr' ? [THIN, ',', 'ko', 'Mo', `F${NBSP}CFA`] : [',', '.', 'kB', 'MB', 'CFA']
  // In French only the first day of a month has an ordinal.
  const first = (date: string) =>
    language === 'fr' ? date.replace(/(^|\s)1(?=\s)/, '$11er') : date
  const number = (value: number) => {
    const [integer = '', decimal = '0'] = (Math.round(value * 10) / 10).toFixed(1).split('.')
    return `${integer.replace(/\B(?=(?:\d{3})+$)/g, separator)}${decimal === '0' ? '' : point + decimal}`
  }
  return {
    language,
    /** "1 250 000" with no-break spaces, "4,6" with one decimal. */
    number,
    /** "12", or "1 000+" for a lower bound [D106]. */
    countText: (count: number, isExact = true) => number(count) + (isExact ? '' : '+'),
    /** French uses the singular for zero. */
    some: (count: number, one: string, several: string) =>
      count === 1 || (count === 0 && language === 'fr') ? one : several,
    /** "1 250 000 F CFA": whole francs [S9.01]. */
    money: (value: number) => `${number(value)}${NBSP}${currency}`,
    /** "il y a 3 min", "hier"; `then` and `now` in ms. */
    ago: (then: number, now: number) => {
      const past = Math.max(0, now - then)
      const age = ages.find(({ ms }) => past >= ms)
      if (!age) return i18n._(msg`à l’instant`)
      const count = Math.floor(past / age.ms)
      return i18n._(count === 1 ? age.one : age.several(count))
    },
    /** "21 nov. 2026". */
    day: (ms: number) => first(day().format(ms)),
    /** "21 nov.", with its year unless that is now. */
    dayShort: (ms: number, now: number) => {
      const date = first(day().format(ms))
      return day().format(now).endsWith(date.slice(-5)) ? date.slice(0, -5) : date
    },
    /** "samedi 21 novembre". */
    dayLong: (ms: number) => first(dayLong().format(ms)),
    /** A typed number as "6,7"; other texts unchanged. */
    decimal: (text: string) => (/^\d+[.,]\d+$/.test(text) ? text.replace(/[.,]/, point) : text),
    time: (ms: number) => time().format(ms),
    /** "850 ko", "1,2 Mo". */
    bytes: (value: number) =>
      value < 1_000_000
        ? `${number(Math.ceil(value / 1000))}${NBSP}${kilo}`
        : `${number(value / 1_000_000)}${NBSP}${mega}`,
  }
}

function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}

const formats: Readonly<Record<Language, Format>> = { fr: make('fr'), en: make('en') }

export function formatOf(language: Language): Format {
  return formats[language]
}

export function useFormat(): Format {
  const { i18n: active } = useLingui()
  return formatOf(active.locale === 'en' ? 'en' : 'fr')
}

export function groupsOf(text: string): string[] {
  return text.split(/(?<=[,\u202f])/)
}

export function useTranslate() {
  const { i18n } = useLingui()
  function translate(sentence: Sentence | LocalizedText): string
  function translate(sentence: Sentence | LocalizedText | undefined): string | undefined
  function translate(sentence: Sentence | LocalizedText | undefined) {
    if (sentence === undefined || typeof sentence === 'string') return sentence
    if ('fr' in sentence) return i18n.locale === 'en' ? sentence.en : sentence.fr
    return i18n._(sentence)
  }
  return translate
}
