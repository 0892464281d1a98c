import type { Language } from '#schema/wire/shapes'
import { useLingui } from '@lingui/react'

/** Numbers, money, dates and sizes as people here write them. Ouagadougou is at UTC all year. */
export interface Format {
  readonly language: Language
  /** "1 250 000" with no-break spaces. */
  number(value: number): string
  /** "1 250 000 F CFA": whole francs (S9.01). */
  money(value: number): string
  /** "il y a 3 min", "hier": how long before `now`, both ms. */
  ago(then: number, now: number): string
  /** "21 nov. 2026". */
  day(ms: number): string
  /** "samedi 21 novembre". */
  dayLong(ms: number): string
  /** "14:05". */
  time(ms: number): string
  /** "850 ko", "1,2 Mo". */
  bytes(value: number): string
  distance(km: number): string
}

const steps: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 365 * 86_400_000],
  ['month', 30 * 86_400_000],
  ['week', 7 * 86_400_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
]

const NBSP = '\u00a0'

function make(language: Language): Format {
  const locale = language === 'fr' ? 'fr-FR' : 'en-GB'
  const timeZone = 'Africa/Ouagadougou'
  // Each of these takes milliseconds to make on a slow phone: none before it is wanted.
  const number = once(() => new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }))
  const relative = once(() => new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' }))
  const day = once(() => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone }))
  const dayLong = once(() => new Intl.DateTimeFormat(locale, { weekday: 'long', day: 'numeric', month: 'long', timeZone }))
  const time = once(() => new Intl.DateTimeFormat(locale, { timeStyle: 'short', timeZone }))
  const [kilo, mega] = language === 'fr' ? ['ko', 'Mo'] : ['kB', 'MB']
  return {
    language,
    number: (value) => number().format(value),
    money: (value) => `${number().format(value)}${NBSP}F${NBSP}CFA`,
    ago: (then, now) => {
      const past = Math.max(0, now - then)
      const [unit, size] = steps.find(([, ms]) => past >= ms) ?? ['second', 60_000]
      return relative().format(unit === 'second' ? 0 : -Math.floor(past / size), unit)
    },
    day: (ms) => day().format(ms),
    dayLong: (ms) => dayLong().format(ms),
    time: (ms) => time().format(ms),
    bytes: (value) => (value < 1_000_000 ? `${number().format(Math.ceil(value / 1000))}${NBSP}${kilo}` : `${number().format(value / 1_000_000)}${NBSP}${mega}`),
    distance: (km) => `${number().format(km)}${NBSP}km`,
  }
}

function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}

const formats: Readonly<Record<Language, Format>> = { fr: make('fr'), en: make('en') }

/** The formats of the language on screen. */
export function useFormat(): Format {
  const { i18n } = useLingui()
  return i18n.locale === 'en' ? formats.en : formats.fr
}
