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
  const known = new Map<string, string | undefined>()
  const coverOf = (n: number, turn = turns.get(n) ?? 0) => {
    const key = `${n} ${turn}`
    if (!known.has(key)) {
      const { photos, subject, n: seed } = draw(n, turn)
      known.set(key, photos > 0 ? photosOf(seed, subject)[0]?.hash : undefined)
    }
    return known.get(key)
  }
  const beside = new Map<number, Set<number>>()
  const pair = (a: number, b: number) => beside.set(a, (beside.get(a) ?? new Set()).add(b))
  for (const list of listsOf(offers))
    for (const [at, { n }] of list.entries()) {
      const before = list[at - 1]
      if (!before) continue
      pair(n, before.n)
      pair(before.n, n)
    }
  for (let pass = 0, changed = true; changed && pass < PASSES_MAX; pass += 1) {
    changed = false
    for (const [n, others] of beside) {
      const taken = [...others].map((other) => coverOf(other))
      const alike = (turn: number) => {
        const cover = coverOf(n, turn)
        return cover === undefined ? 0 : taken.filter((other) => other === cover).length
      }
      const now = turns.get(n) ?? 0
      if (alike(now) === 0) continue
      const best = TURNS.toSorted((a, b) => alike(a) - alike(b))[0] ?? now
      changed = true
      turns.set(n, best === now ? (now + 1) % TURNS.length : best)
    }
  }
  return turns
}

const TURNS = Array.from({ length: 12 }, (_, turn) => turn)
