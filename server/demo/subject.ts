import { placeFactor, type Location } from './location.ts'
import { lookOf, type Look } from './pictures.ts'
import { weightedChoice, type Random } from './random.ts'
import { categoryOf, content, type Draw, type When } from './source.ts'

type Value = string | number | boolean
type Values = Readonly<Record<string, Value>>

export interface Subject {
  readonly category: string
  readonly name: string
  /** Write the brand after the name. */
  readonly brandAfter: boolean
  readonly agreement: { readonly feminine: boolean; readonly plural: boolean }
  readonly specs: Values
  /** Specs and more, for the conditions and placeholders of phrases. */
  readonly facts: Values
  /** Whole F CFA; null where the category allows it. */
  readonly price: number | null
  readonly look: Look
  readonly inside: string | null
}

const things = new Map(
  Object.entries(content.categories).map(([slug, { things: all }]) => [
    slug,
    weightedChoice(all, ({ weight }) => weight),
  ]),
)

export const fits = (when: When, facts: Values): boolean =>
  Object.entries(when).every(([fact, wanted]) => wanted.test(`${facts[fact] ?? ''}`))

/**
 * What is sold. `now` is the calendar year of the demo's now; another `turn` gives the same goods in
 * another picture, and so maybe in another colour.
 */
export function makeSubject(
  category: string,
  location: Location,
  now: number,
  choice: Random,
  { seed, turn }: { seed: number; turn: number },
): Subject {
  const demo = categoryOf(category)
  const thing = things.get(category)?.(choice)
  if (!thing) throw new Error(`nothing to sell in ${category}`)
  const isNew =
    thing.used === undefined || (thing.new !== undefined && choice.chance(demo.share_new ?? 0))
  const [low, high] = (isNew ? thing.new : thing.used) ?? [0, 0]
  const look = lookOf(thing.pictures, seed, turn)
  const specs: Record<string, Value> = {}
  const set = (field: string, value: Value | undefined) => {
    if (value !== undefined && value !== '') specs[field] = value
  }
  if (demo.share_new !== undefined) set('condition', isNew ? 'new' : 'used')
  set('brand', choice.pick(thing.brands))
  set('model', thing.model)
  let worth = choice.next()
  if (thing.years) {
    const [first, last] = thing.years
    const year = isNew ? choice.whole(now - 1, now) : choice.whole(first, last)
    set('year', year)
    if (!isNew) worth = ((year - first) / (last - first)) * choice.between(0.9, 1.1)
    if (demo.driven && !choice.chance(demo.driven.absent)) {
      const { field, per_year, step } = demo.driven
      const driven = isNew ? 0 : Math.min(380_000, (now - year) * choice.between(...per_year))
      set(field, rounded(driven, step))
    }
  }
  for (const [field, draw] of Object.entries({ ...demo.specs, ...thing.specs }))
    set(field, draw === '{color}' ? look.colour : drawn(draw, specs, choice))
  const facts: Record<string, Value> = {
    ...specs,
    category,
    item: thing.name,
    kind: look.kind,
    agree: thing.agree,
    town: location.town?.name ?? '',
  }
  for (const [field, draw] of Object.entries(demo.facts))
    facts[field] = drawn(draw, specs, choice) ?? ''
  const price = (low + (high - low) * worth) * placeFactor(demo, location)
  const [, step = 1] = demo.steps.find(([below]) => price < below) ?? []
  return {
    category,
    name: thing.name || thing.model,
    brandAfter: thing.after,
    agreement: { feminine: thing.agree.startsWith('f'), plural: thing.agree.endsWith('p') },
    specs,
    facts,
    price: choice.chance(demo.share_free) ? null : Math.max(step, rounded(price, step)),
    look,
    inside: thing.inside ?? null,
  }
}

function drawn(draw: Draw, known: Values, choice: Random): Value | undefined {
  if (typeof draw !== 'object') return draw
  const { share, from, step, chance, when } = draw
  if (!fits(when, known) || !choice.chance(chance)) return undefined
  if (share === undefined) return rounded(choice.between(...from), step)
  const value = choice.weigh(share)
  return value === 'true' || (value === 'false' ? false : value)
}

const rounded = (value: number, step: number): number => Math.round(value / step) * step
