import { type DemoListing, type Offer } from './listing.ts'
import { photosOf } from './pictures.ts'

/** How far down a list neighbours differ. */
export const SHOWN = 40
const PASSES_MAX = 30

type Listed = Pick<
  Offer,
  'n' | 'id' | 'status' | 'postedAgo' | 'price' | 'views' | 'featured' | 'category'
>

const newest = (a: Listed, b: Listed) => (a.postedAgo ?? 0) - (b.postedAgo ?? 0)
/** The orders of [API 8.2] that do not depend on who asks. */
const orders: readonly ((a: Listed, b: Listed) => number)[] = [
  newest,
  (a, b) => newest(b, a),
  (a, b) => (a.price ?? Infinity) - (b.price ?? Infinity) || (a.id < b.id ? -1 : 1),
  (a, b) => (b.price ?? 0) - (a.price ?? 0) || (a.id < b.id ? 1 : -1),
  (a, b) => b.views - a.views || (a.id < b.id ? 1 : -1),
  (a, b) => Number(b.featured) - Number(a.featured) || newest(a, b),
]

/** The first listings of all lists: of everything and of each category, in each order. */
export function listsOf(offers: readonly Offer[]): Offer[][] {
  const open = offers.filter(({ status }) => status === 'active' || status === 'reserved')
  const groups = [open, ...Map.groupBy(open, ({ category }) => category).values()]
  return groups.flatMap((group) => orders.map((order) => group.toSorted(order).slice(0, SHOWN)))
}

/**
 * Turns of listings (`makeSubject`) with which no two neighbours of a list show the same cover. Only
 * pictures change, so the lists stay as they are.
 */
export function variedTurns(
  offers: readonly Offer[],
  draw: (n: number, turn: number) => DemoListing,
): Map<number, number> {
  const turns = new Map<number, number>()
  const covers = new Map<number, string | undefined>()
  const coverOf = (n: number) => {
    if (!covers.has(n)) {
      const { photos, subject, n: seed } = draw(n, turns.get(n) ?? 0)
      covers.set(n, photos > 0 ? photosOf(seed, subject)[0]?.hash : undefined)
    }
    return covers.get(n)
  }
  const lists = listsOf(offers)
  for (let pass = 0, changed = true; changed && pass < PASSES_MAX; pass += 1) {
    changed = false
    for (const list of lists)
      for (const [at, { n }] of list.entries()) {
        const before = list[at - 1]
        if (!before || coverOf(n) === undefined || coverOf(n) !== coverOf(before.n)) continue
        turns.set(n, (turns.get(n) ?? 0) + 1)
        covers.delete(n)
        changed = true
      }
  }
  return turns
}
