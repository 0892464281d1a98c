import { combineLatest, map, Observable, of, startWith, Subject, type Subscription } from 'rxjs'
import { emptyList, type ListDocument } from '#schema/disk/documents'
import { REFRESH_DEBOUNCE_MS } from '#schema/limits'
import { isFull } from '../full.ts'
import type { Need, ListUpdate, CallResult, Store, Tools } from '../noun.ts'
import { type Cause, causeOf, Waits } from '../network/backoff.ts'
import type { Outside } from '../outside.ts'
import { deepEqual } from '../store/rows.ts'
import type { ManagedStore } from '../store/store.ts'
import { Timer } from '../within.ts'

export interface FetchStatus {
  /** Nothing more to wait for: each need was answered, was tried, or cannot be fetched now. */
  readonly settled: boolean
  readonly fresh: boolean
  /** The last try of at least one need got no answer. */
  readonly failed: boolean
  /** Time of the oldest answer in ms; null: at least one need was never answered. */
  readonly since: number | null
}

export interface Dependencies {
  /** Bound to the current account: their writes fail after an account switch. */
  tools(): Tools
  readonly store: ManagedStore
  readonly outside: Pick<Outside, 'now' | 'setTimer' | 'random'>
  /** Reports an exception in our own code, or full storage. */
  failed(error: unknown): void
}

export interface Unread {
  /** Time until the first of them may be fetched again, in ms. */
  readonly waitMs: number
  again(): Promise<Unread | null>
}

/** Maximum of parallel fetches: more would compete for a slow connection. */
const PARALLEL = 4
/** Maximum of list documents that wait in memory for room on the device. */
const UNSTORED_MAX = 40

/**
 * Fetches watched needs that are missing or older than `freshMs`: one fetch for all watchers, the
 * latest request first (it is on screen), none while hidden or offline.
 */
export class Refresh {
  readonly #dependencies: Dependencies
  readonly #tickets = new Map<string, FetchState>()
  readonly #scheduled = new Set<string>()
  /** Scheduled needs that became due while fetching was not allowed. */
  readonly #held = new Map<string, () => void>()
  /** Backoff outlives the watchers: opening a screen again does not retry earlier. */
  readonly #waits: Waits
  /** By need; `base`: the stored document that it should replace. */
  readonly #unstored = new Map<
    string,
    { readonly base: ListDocument; readonly next: ListDocument }
  >()
  #queue: FetchState[] = []
  #running = 0
  #allowed = true

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
    this.#waits = new Waits(dependencies.outside)
  }

  /** The needs are fetched as long as there is a subscription. */
  watch(needs: readonly Need[]): Observable<FetchStatus> {
    if (needs.length === 0) return of({ settled: true, fresh: true, failed: false, since: null })
    return combineLatest(needs.map((need) => this.#standing(need))).pipe(
      map((all) => ({
        settled: all.every(({ settled }) => settled),
        fresh: all.every(({ fresh }) => fresh),
        failed: all.some(({ failed }) => failed),
        since: all.some(({ since }) => since === null)
          ? null
          : Math.min(...all.map(({ since }) => since ?? 0)),
      })),
    )
  }

  /**
   * Refetches now on the user's request, whatever the age. Resolves with whether all were answered.
   */
  async again(needs: readonly Need[]): Promise<boolean> {
    const answered = await Promise.all(needs.map((need) => this.#ask(need, true)))
    return answered.every(Boolean)
  }

  /**
   * Fetches needs that are not in backoff. Resolves with the unanswered ones and their shortest
   * wait.
   */
  async catchUp(needs: readonly Need[]): Promise<Unread | null> {
    const answers = await Promise.all(
      needs.map(async (need) => ({ need, answered: await this.#ask(need, false) })),
    )
    const rest = answers.flatMap(({ need, answered }) => (answered ? [] : [need]))
    if (rest.length === 0) return null
    return {
      waitMs: Math.min(...rest.map((need) => this.#waits.left(idOf(need)))),
      again: () => this.catchUp(rest),
    }
  }

  /** Fetches soon, or when allowed, even without watchers. Several calls make one fetch [S9.15]. */
  schedule(need: Need): void {
    const id = idOf(need)
    if (this.#scheduled.has(id)) return
    this.#scheduled.add(id)
    const { me } = this.#dependencies.tools().currentUser()
    const ask = (): void => {
      if (!this.#allowed) return void this.#held.set(id, ask)
      this.#scheduled.delete(id)
      // Skip needs of an account that is not current any more.
      if (this.#dependencies.tools().currentUser().me === me) void this.#ask(need, false)
    }
    this.#dependencies.outside.setTimer(Math.max(REFRESH_DEBOUNCE_MS, this.#waits.left(id)), ask)
  }

  /**
   * false: hidden or offline, no new fetches. true: fetches what is old by now and what was
   * scheduled meanwhile.
   */
  allow(allowed: boolean): void {
    this.#allowed = allowed
    if (allowed) {
      const held = [...this.#held.values()]
      this.#held.clear()
      for (const ask of held) ask()
    }
    for (const ticket of this.#tickets.values()) {
      this.#consider(ticket)
      this.#announce(ticket)
    }
    this.#fill()
  }

  recovered(): void {
    for (const id of this.#waits.keys) {
      const left = this.#waits.recovered(id)
      const ticket = this.#tickets.get(id)
      if (ticket?.running === false) this.#retryIn(ticket, left)
    }
  }

  async #ask(need: Need, asked: boolean): Promise<boolean> {
    if (this.#waits.left(idOf(need), asked) > 0) return false
    const ticket = this.#ticket(need)
    ticket.needs.push(need)
    const answered = new Promise<boolean>((resolve) => ticket.forced.push(resolve))
    this.#consider(ticket)
    return answered.finally(() => this.#leave(ticket, need))
  }

  #standing(need: Need): Observable<FetchStatus> {
    return new Observable((reader) => {
      const ticket = this.#ticket(need)
      ticket.needs.push(need)
      this.#consider(ticket)
      const hearing = ticket.changed.pipe(startWith(undefined)).subscribe(() => {
        if (ticket.loaded) reader.next(this.#judge(ticket))
      })
      return () => {
        hearing.unsubscribe()
        this.#leave(ticket, need)
      }
    })
  }

  #announce(ticket: FetchState): void {
    // Live queries show what was written first: a status is never ahead of its rows.
    void this.#dependencies.store.quiet().then(() => ticket.changed.next())
  }

  #judge(ticket: FetchState): FetchStatus {
    // Readers see what is stored.
    const { stored } = ticket
    const answered = stored !== null && stored.at > 0
    const failed = this.#waits.failures(ticket.id) > 0
    return {
      settled: answered || failed || !this.#allowed,
      failed,
      fresh: answered && !this.#isOld(ticket, stored),
      since: answered ? stored.at : null,
    }
  }

  #ticket(need: Need): FetchState {
    const id = idOf(need)
    const known = this.#tickets.get(id)
    if (known !== undefined) return known
    const coverage = need.personal ? 'ownLists' : 'lists'
    const retry = new Timer(this.#dependencies.outside)
    const ticket = new FetchState(id, coverage, need.key, retry)
    this.#tickets.set(id, ticket)
    const left = this.#waits.left(id)
    if (left > 0) this.#retryIn(ticket, left)
    ticket.reading = this.#dependencies.store[ticket.coverage].findOne(need.key).$.subscribe({
      next: (stored) => {
        ticket.stored = stored
        ticket.listDocument = this.#newest(ticket)
        ticket.loaded = true
        this.#consider(ticket)
        this.#announce(ticket)
      },
      error: (error: unknown) => this.#dependencies.failed(error),
    })
    return ticket
  }

  #leave(ticket: FetchState, need: Need): void {
    ticket.needs.splice(ticket.needs.indexOf(need), 1)
    if (ticket.needs.length > 0) return
    this.#tickets.delete(ticket.id)
    this.#queue = this.#queue.filter((queued) => queued !== ticket)
    ticket.end()
  }

  /**
   * An unstored document is used only while the document it was made from is stored: its rows may
   * have been deleted otherwise.
   */
  #newest({ id, stored }: FetchState): ListDocument | null {
    const unstored = this.#unstored.get(id)
    if (unstored !== undefined && deepEqual(unstored.base, stored)) return unstored.next
    this.#unstored.delete(id)
    return stored
  }

  #isOld({ needs }: FetchState, listDocument: ListDocument | null): boolean {
    const age = listDocument === null ? 0 : this.#dependencies.outside.now() - listDocument.at
    // A negative age comes from a clock that was ahead, so the real age is unknown.
    return (
      listDocument === null || age < 0 || age >= Math.min(...needs.map(({ freshMs }) => freshMs))
    )
  }

  #due(ticket: FetchState): { readonly need: Need; readonly old: boolean } | null {
    const { listDocument, needs } = ticket
    const [first] = needs
    if (!ticket.loaded || first === undefined) return null
    if (ticket.forced.length > 0) return { need: first, old: true }
    if (!ticket.due && this.#waits.left(ticket.id) > 0) return null
    if (this.#isOld(ticket, listDocument)) return { need: first, old: true }
    const short =
      listDocument === null || extent(listDocument) === ticket.spent
        ? undefined
        : needs.find((need) => need.isIncomplete?.(listDocument) === true)
    return short === undefined ? null : { need: short, old: false }
  }

  #consider(ticket: FetchState): void {
    if (ticket.running || !ticket.loaded) return
    if (!this.#allowed) return ticket.answer(false)
    if (this.#due(ticket) === null) return
    this.#queue = [...this.#queue.filter((queued) => queued !== ticket), ticket]
    this.#fill()
  }

  #fill(): void {
    while (this.#allowed && this.#running < PARALLEL) {
      const ticket = this.#queue.pop()
      if (ticket === undefined) return
      const due = this.#due(ticket)
      if (due !== null) void this.#run(ticket, due.need, due.old)
    }
  }

  async #run(ticket: FetchState, need: Need, old: boolean): Promise<void> {
    ticket.running = true
    ticket.due = false
    this.#running++
    const { listDocument: known, stored } = ticket
    const tools = this.#dependencies.tools()
    const forced = ticket.forced.splice(0)
    let answered = false
    try {
      const reply = await need.fetch(tools, { known, stale: old })
      answered = reply.kind === 'done' || reply.kind === 'unchanged' || reply.kind === 'refused'
      if (answered) await this.#note(tools.store, ticket, { known, stored }, old, reply)
      else if (reply.kind === 'later') this.#failed(ticket, causeOf(reply.why), reply.retryAfterMs)
      else this.#failed(ticket, 'other', null)
    } catch (error) {
      this.#dependencies.failed(error)
      this.#failed(ticket, 'other', null)
    }
    ticket.running = false
    this.#running--
    for (const resolve of forced) resolve(answered)
    this.#consider(ticket)
    this.#announce(ticket)
    this.#fill()
  }

  async #note(
    store: Store,
    ticket: FetchState,
    { known, stored }: Pick<FetchState, 'stored'> & { readonly known: ListDocument | null },
    old: boolean,
    reply: CallResult<ListUpdate>,
  ): Promise<void> {
    // The cache was cleared during the fetch: `known` counts rows that are gone, so fetch anew.
    if (stored !== null && (await store[ticket.coverage].findOne(ticket.key).exec()) === null)
      return void (ticket.stored = ticket.listDocument = null)
    const listDocument: ListDocument = {
      ...(known ?? emptyList(ticket.key)),
      ...(reply.kind === 'done' && reply.answer),
      // A further page does not change the age of the first one.
      ...(old && {
        at: this.#dependencies.outside.now(),
        problem: reply.kind === 'refused' ? reply.problem.code : null,
      }),
      ...(old && reply.kind === 'done' && { etag: reply.etag ?? null }),
    }
    try {
      await store[ticket.coverage].put([listDocument])
      this.#unstored.delete(ticket.id)
      ticket.stored = listDocument
    } catch (error) {
      if (!isFull(error) || !this.#keep(ticket, stored, listDocument)) throw error
    }
    this.#waits.succeeded(ticket.id)
    ticket.retry.stop()
    ticket.listDocument = listDocument
    // The list did not grow although more was fetched: remember it, to not fetch again and again.
    if (known !== null && !old && extent(listDocument) === extent(known))
      ticket.spent = extent(listDocument)
  }

  /**
   * Keeps in memory what the full disk did not take. Needs a stored `base`: when the cache is
   * cleared it goes, and shows that the rows are gone too.
   */
  #keep({ id, stored }: FetchState, base: ListDocument | null, next: ListDocument): boolean {
    if (base === null || !deepEqual(base, stored)) return false
    this.#unstored.delete(id)
    this.#unstored.set(id, { base, next })
    for (const oldest of this.#unstored.keys()) {
      if (this.#unstored.size <= UNSTORED_MAX) break
      this.#unstored.delete(oldest)
    }
    return true
  }

  #failed(ticket: FetchState, cause: Cause, retryAfterMs: number | null): void {
    this.#retryIn(ticket, this.#waits.failed(ticket.id, cause, retryAfterMs))
  }

  #retryIn(ticket: FetchState, ms: number): void {
    ticket.retry.start(ms, () => {
      // A timer may fire slightly before `now()` reaches its time, and is not set again.
      ticket.due = true
      this.#consider(ticket)
    })
  }
}

const idOf = ({ personal, key }: Need) => `${personal ? 'own' : 'all'}:${key}`
/** Size of a loaded list. A message thread has no ids, so its `count` counts the rows. */
const extent = ({ ids, count, next }: ListDocument) => `${ids.length} ${count} ${next}`

/** One need, shared by all who ask for it. */
class FetchState {
  readonly id: string
  readonly coverage: 'lists' | 'ownLists'
  readonly key: string
  /** One element per subscriber, so the same need may occur several times. */
  readonly needs: Need[] = []
  readonly changed = new Subject<void>()
  /** Resolvers of callers that want a fetch now, whatever the age. */
  readonly forced: ((answered: boolean) => void)[] = []
  /** What is stored, or newer where the device is full. */
  listDocument: ListDocument | null = null
  stored: ListDocument | null = null
  loaded = false
  running = false
  /** The backoff timer fired, whatever the clock. */
  due = false
  /** The extent at which fetching more returned nothing new. */
  spent: string | null = null
  reading: Subscription | null = null
  readonly retry: Timer

  constructor(id: string, coverage: 'lists' | 'ownLists', key: string, retry: Timer) {
    this.id = id
    this.coverage = coverage
    this.key = key
    this.retry = retry
  }

  answer(answered: boolean): void {
    for (const resolve of this.forced.splice(0)) resolve(answered)
  }

  end(): void {
    this.reading?.unsubscribe()
    this.retry.stop()
  }
}
