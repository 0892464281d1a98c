import type { DraftPhoto, ListingDraft } from '#schema/disk/draft'
import type { Entry } from '#schema/disk/entry'
import { RETRY_BASE_MS, RETRY_ENTRY_MAX_MS } from '#schema/limits'
import { type OutboxState, emptyState } from '#sync/outbox/state'
import type { MeterDisk } from '#sync/network/meter'
import type { DeviceDb } from '#sync/outbox/deviceDb'
import { type OpenedDb, type Table, Unopened, Unstorable } from '#sync/outbox/table'
import { isHeavy } from '#sync/outbox/lanes'
import type { SeenDisk } from '#sync/inbox/seen'
import type { Realm } from './realm.ts'
import type { World } from './world.ts'

/** What survives when every process of the device is killed. */
export class DeviceDisk {
  state: OutboxState = emptyState
  readonly seen = new Map<string, string[]>()
  readonly drafts = new Map<string, ListingDraft>()
  readonly photos = new Map<string, DraftPhoto>()
  full = false
  flaky = 0
  readonly failing = new Failing()

  /** Called when an entry waits for something that can never happen. */
  stuck: (what: string) => void = () => undefined
  /** Called when a visitor's entry is assigned to an account. */
  adopted: (owner: string, entry: Entry) => void = () => undefined

  keep(state: OutboxState): void {
    if (state === this.state) return
    this.failing.see(this.state, state)
    const visitors = new Set(
      this.state.entries.flatMap(({ id, owner }) => (owner === '' ? [id] : [])),
    )
    this.state = state
    for (const entry of visitors.size > 0 ? state.entries : [])
      if (entry.owner !== '' && visitors.has(entry.id)) this.adopted(entry.owner, entry)
    const refused = new Set(
      state.entries.flatMap(({ id, state }) => (state === 'refused' ? [id] : [])),
    )
    const one = state.entries.find(
      ({ after, state }) => state === 'waiting' && after !== null && refused.has(after),
    )
    if (one) this.stuck(`waits for what was refused: ${one.name} ${JSON.stringify(one.payload)}`)
    const left = state.entries.find(
      ({ after, why }) => why === 'behind' && (after === null || !refused.has(after)),
    )
    if (left)
      this.stuck(`parked behind what is not refused: ${left.name} ${JSON.stringify(left.payload)}`)
  }
}

/** From an answer until its outcome is stored. */
const OWN_ANSWER_MS = 20

/**
 * Entries that fail for a reason of their own: retried in vain although the server answered other
 * calls. The backoff of such an entry may grow under the leader that saw it.
 */
export class Failing {
  #proofs = 0
  /** ms, by the device's clock. */
  #provedAt = 0
  /** `times`: tries after proof; `proofs`: when the last try began; `own`: when its answer came. */
  readonly #tries = new Map<
    string,
    { readonly times: number; readonly proofs: number; readonly own?: number }
  >()

  proved(at: number): void {
    this.#proofs += 1
    this.#provedAt = at
  }

  see(before: OutboxState, after: OutboxState): void {
    const old = new Map(before.entries.map((entry) => [entry.id, entry]))
    for (const entry of after.entries) {
      const was = old.get(entry.id)
      if (entry.state === 'acknowledged' || entry.triedAt === 0) this.#tries.delete(entry.id)
      const known = this.#tries.get(entry.id)
      // An answer that fails an entry is no proof for it.
      if (known && was?.state === 'sending' && entry.state === 'waiting' && this.#isOwn(entry))
        this.#tries.set(entry.id, { ...known, own: this.#proofs })
      if (entry.state !== 'sending' || (was?.state === 'sending' && !isSentAgain(was, entry)))
        continue
      const another = was?.fence !== entry.fence
      const proved = known !== undefined && this.#proofs > known.proofs
      // A new leader counts from its own first try.
      this.#tries.set(entry.id, {
        times: (another ? 0 : (known?.times ?? 0)) + (proved ? 1 : 0),
        proofs: this.#proofs,
      })
    }
  }

  #isOwn({ spent }: Entry): boolean {
    return Math.abs((spent?.at ?? 0) - this.#provedAt) < OWN_ANSWER_MS
  }

  /** ms after a failure within which an entry is retried; shorter once the server answered. */
  patience({ id, owner, fence, bytes }: Entry, { meta }: OutboxState): number {
    const known = this.#tries.get(id)
    if (known?.proofs === this.#proofs || known?.own === this.#proofs) return RETRY_ENTRY_MAX_MS
    const times = meta.fences[owner] === fence ? (known?.times ?? 0) : 0
    return times === 0
      ? 0
      : Math.min(RETRY_ENTRY_MAX_MS, RETRY_BASE_MS * 2 ** (times + (isHeavy({ bytes }) ? 5 : 0)))
  }
}

/** The disk failed when the outcome of a try was written, so one transaction began the next. */
function isSentAgain(was: Entry, entry: Entry): boolean {
  return (
    was !== entry &&
    was.lane === entry.lane &&
    was.wifiOnly === entry.wifiOnly &&
    was.sequence === entry.sequence
  )
}

/** The outbox table of one tab, like the real one. `isOld`: a newer app version owns it. */
export function tableOf(
  world: World,
  disk: DeviceDisk,
  realm: Realm,
  isOld: () => boolean = () => false,
): Table {
  let last: Promise<unknown> = Promise.resolve()
  /** As in `Turns` of sync/turns.ts. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const taken = last.then(work)
    last = taken.catch(() => undefined)
    return taken
  }
  return {
    change: (work) =>
      inTurn(async () => {
        await realm.step(world.below(4))
        if (isOld()) throw new Unopened('newer')
        const { state, result } = work(disk.state)
        if (state !== disk.state && (disk.full || world.maybe(disk.flaky))) {
          await realm.step(world.below(4))
          throw disk.full ? new Unstorable('full') : new Error('the disk failed')
        }
        // From here on the change is on disk, even if no caller receives the answer.
        disk.keep(frozen(state))
        await realm.step(world.below(4))
        return frozen(result)
      }),
    read: () =>
      inTurn(async () => {
        await realm.step(world.below(3))
        if (isOld()) throw new Unopened('newer')
        return disk.state
      }),
    close: () => undefined,
  }
}

/** The database of one tab, which counts no bytes. */
export function deviceDbOf(
  exists: DeviceDb['exists'],
  opened: Pick<OpenedDb, 'table' | 'seen' | 'drafts'>,
): DeviceDb {
  const meter: MeterDisk = { add: () => Promise.resolve(), read: () => Promise.resolve([]) }
  return {
    exists,
    open: () => Promise.resolve({ ...opened, meter }),
    meter: () => Promise.resolve(null),
    close: () => opened.table.close(),
  }
}

/** The table in the memory of one tab: it answers in microtasks. */
export function memoryTableOf(disk: DeviceDisk): Table {
  return {
    change: (work) =>
      Promise.resolve().then(() => {
        const { state, result } = work(disk.state)
        disk.keep(frozen(state))
        return frozen(result)
      }),
    read: () => Promise.resolve(disk.state),
    close: () => undefined,
  }
}

/** Freezes deeply, instead of copying as a database does. A frozen value is frozen throughout. */
function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  for (const member of Object.values(value)) frozen(member)
  return Object.freeze(value)
}

export function seenOf(disk: DeviceDisk, realm: Realm): SeenDisk {
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
    async add(owner, id) {
      await realm.step()
      of(owner).push(id)
      await realm.step()
    },
    async trim(owner, kept) {
      await realm.step()
      of(owner).splice(0, Math.max(0, of(owner).length - kept))
    },
  }
}
