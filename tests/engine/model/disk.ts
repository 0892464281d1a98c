import type { DraftPhoto, ListingDraft } from '#schema/disk/draft'
import type { Entry } from '#schema/disk/entry'
import { RETRY_BASE_MS, RETRY_ENTRY_MAX_MS } from '#schema/limits'
import { type OutboxState, emptyState } from '#sync/outbox/state'
import { Full, type Table, Unopened } from '#sync/outbox/table'
import { isHeavy } from '#sync/outbox/lanes'
import type { SeenDisk } from '#sync/inbox/seen'
import type { MeterDisk } from '#sync/network/meter'
import type { Realm } from './realm.ts'
import type { World } from './world.ts'

/** What a phone keeps when everything on it is killed. */
export class PhoneDisk {
  book: OutboxState = emptyState
  readonly seen = new Map<string, string[]>()
  readonly drafts = new Map<string, ListingDraft>()
  readonly photos = new Map<string, DraftPhoto>()
  /** Writing fails for so long. */
  full = false
  /** Chance that one write fails by itself. */
  flaky = 0
  readonly failing = new Failing()

  /** Hears of what waits for ever. */
  stuck: (what: string) => void = () => undefined
  /** Hears whose a visitor's row became. */
  adopted: (owner: string, entry: Entry) => void = () => undefined

  keep(book: OutboxState): void {
    if (book === this.book) return
    this.failing.see(this.book, book)
    const visitors = new Set(
      this.book.entries.flatMap(({ id, owner }) => (owner === '' ? [id] : [])),
    )
    this.book = book
    for (const entry of visitors.size > 0 ? book.entries : [])
      if (entry.owner !== '' && visitors.has(entry.id)) this.adopted(entry.owner, entry)
    const refused = new Set(
      book.entries.flatMap(({ id, state }) => (state === 'refused' ? [id] : [])),
    )
    const one = book.entries.find(
      ({ after, state }) => state === 'waiting' && after !== null && refused.has(after),
    )
    if (one) this.stuck(`waits for what was refused: ${one.name} ${JSON.stringify(one.payload)}`)
  }
}

/**
 * Which entries fail for a reason of their own: tried again after the server had answered other calls, and in vain. The wait
 * of such an entry may grow under the leader that saw it.
 */
export class Failing {
  #proofs = 0
  /** `times`: tries after proof; `proofs`: when the last try began. */
  readonly #tries = new Map<string, { readonly times: number; readonly proofs: number }>()

  /** The server answered a call. */
  proved(): void {
    this.#proofs += 1
  }

  see(before: OutboxState, after: OutboxState): void {
    const old = new Map(before.entries.map((entry) => [entry.id, entry]))
    for (const entry of after.entries) {
      const was = old.get(entry.id)
      if (entry.state === 'acknowledged' || entry.triedAt === 0) this.#tries.delete(entry.id)
      if (entry.state !== 'sending' || was?.state === 'sending') continue
      const known = this.#tries.get(entry.id)
      const another = was?.fence !== entry.fence
      const proved = known !== undefined && this.#proofs > known.proofs
      // Another leader counts from the proof that it tries after.
      this.#tries.set(entry.id, {
        times: (another ? 0 : (known?.times ?? 0)) + (proved ? 1 : 0),
        proofs: this.#proofs,
      })
    }
  }

  /** ms after its last failure within which an entry must be tried again: sooner where the server has answered since that try. */
  patience({ id, owner, fence, bytes }: Entry, { meta }: OutboxState): number {
    const known = this.#tries.get(id)
    if (known?.proofs === this.#proofs) return RETRY_ENTRY_MAX_MS
    const times = meta.fences[owner] === fence ? (known?.times ?? 0) : 0
    return times === 0
      ? 0
      : Math.min(RETRY_ENTRY_MAX_MS, RETRY_BASE_MS * 2 ** (times + (isHeavy({ bytes }) ? 5 : 0)))
  }
}

/** The outbox's table as one tab sees it: the same promises as the real one, without a database. `isOld`: a newer version of the app has it. */
export function tableOf(
  world: World,
  disk: PhoneDisk,
  realm: Realm,
  isOld: () => boolean = () => false,
): Table {
  return {
    async change(work) {
      await realm.step(world.below(4))
      if (isOld()) throw new Unopened('newer')
      const { book, result } = work(disk.book)
      if (book !== disk.book && (disk.full || world.maybe(disk.flaky))) {
        await realm.step(world.below(4))
        throw disk.full ? new Full('full') : new Error('the disk failed')
      }
      // From here on it is on disk, whether or not anybody learns of it.
      disk.keep(frozen(book))
      await realm.step(world.below(4))
      return frozen(result)
    },
    async read() {
      await realm.step(world.below(3))
      if (isOld()) throw new Unopened('newer')
      return disk.book
    },
    close: () => undefined,
  }
}

/** The same in the memory of one tab: what waits for it goes on at once, as promises do. */
export function memoryTableOf(disk: PhoneDisk): Table {
  return {
    change: (work) =>
      Promise.resolve().then(() => {
        const { book, result } = work(disk.book)
        disk.keep(frozen(book))
        return frozen(result)
      }),
    read: () => Promise.resolve(disk.book),
    close: () => undefined,
  }
}

/** A database hands out copies; a value that nobody can change is as good, and costs nothing. What is frozen already is so to its leaves. */
function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  for (const member of Object.values(value)) frozen(member)
  return Object.freeze(value)
}

export function seenOf(disk: PhoneDisk, realm: Realm): SeenDisk {
  const of = (owner: string): string[] => {
    const known = disk.seen.get(owner) ?? []
    disk.seen.set(owner, known)
    return known
  }
  return {
    async read(owner) {
      await realm.step()
      return [...of(owner)]
    },
    async add(owner, ids) {
      await realm.step()
      of(owner).push(...ids)
      await realm.step()
    },
    async trim(owner, kept) {
      await realm.step()
      of(owner).splice(0, Math.max(0, of(owner).length - kept))
    },
  }
}

export const noMeter: MeterDisk = { add: () => Promise.resolve(), read: () => Promise.resolve([]) }
