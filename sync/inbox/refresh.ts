import { combineLatest, map, Observable, of, startWith, Subject, type Subscription } from 'rxjs'
import type { ListDocument } from '#schema/disk/documents'
import { REFRESH_DEBOUNCE_MS } from '#schema/limits'
import type { Need, ListUpdate, CallResult, Store, Tools } from '../noun.ts'
import { type Cause, causeOf, Waits } from '../network/backoff.ts'

/** How it stands with what a question needs. */
export interface FetchStatus {
  /** Nothing more is to be waited for: each need was answered, or at least tried, or cannot be asked now. */
  readonly settled: boolean
  readonly fresh: boolean
  /** The last try of one of them was not answered. */
  readonly failed: boolean
  /** The oldest answer, ms; null: one of them was never answered. */
  readonly since: number | null
}

export interface Dependencies {
  /** Tools whose writes fail once another account came in. */
  tools(): Tools
  readonly store: Store
  /** Resolves when the live answers show what was written: a status is not told before the rows it speaks of. */
  shown(): Promise<void>
  now(): number
  setTimer(ms: number, what: () => void): () => void
  random(): number
  /** A fetch failed in our own code, or the phone is full. */
  failed(error: unknown): void
}

/** Needs that were not answered. */
export interface Unread {
  /** ms until the first of them may be asked again. */
  readonly waitMs: number
  again(): Promise<Unread | null>
}

/** So many at a time: more only get in each other's way on a slow line. */
const PARALLEL = 4

/**
 * Fetches what is missing or older than its freshness while somebody looks: once for all readers, what was asked last
 * first (that is what is on screen), nothing while it is not allowed (hidden, offline).
 */
export class Refresh {
  readonly #dependencies: Dependencies
  readonly #tickets = new Map<string, FetchState>()
  readonly #scheduled = new Set<string>()
  /** Wishes that came due while nothing was allowed. */
  readonly #held = new Map<string, () => void>()
  /** They outlive their readers: who looks again does not ask sooner. */
  readonly #waits: Waits
  #queue: FetchState[] = []
  #running = 0
  #allowed = true

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
    this.#waits = new Waits({ now: () => dependencies.now(), random: () => dependencies.random() })
  }

  /** While it is subscribed somebody looks. */
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

  /** A person asks again now, whatever the age; resolves when all are settled: whether every one was answered. */
  async again(needs: readonly Need[]): Promise<boolean> {
    return (await Promise.all(needs.map((need) => this.#ask(need, true)))).every(
      (answered) => answered,
    )
  }

  /** Asks each whose wait is over; resolves with those that were not answered, and how long the first of them waits. */
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

  /** Asks again soon, or once that is allowed, though nobody may be looking; many wishes make one call [S9.15]. */
  schedule(need: Need): void {
    const id = idOf(need)
    if (this.#scheduled.has(id)) return
    this.#scheduled.add(id)
    const { me } = this.#dependencies.tools().currentUser()
    const ask = (): void => {
      if (!this.#allowed) return void this.#held.set(id, ask)
      this.#scheduled.delete(id)
      // Whoever came in meanwhile wished nothing of it.
      if (this.#dependencies.tools().currentUser().me === me) void this.#ask(need, false)
    }
    this.#dependencies.setTimer(Math.max(REFRESH_DEBOUNCE_MS, this.#waits.left(id)), ask)
  }

  /** Hidden or offline: nothing new is fetched. Allowed again: what is old by now is, and what was wished meanwhile. */
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

  /** Our server answered: what failed is asked soon. */
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
    void this.#dependencies.shown().then(() => ticket.changed.next())
  }

  #judge(ticket: FetchState): FetchStatus {
    const { book } = ticket
    const answered = book !== null && book.at > 0
    const failed = this.#waits.failures(ticket.id) > 0
    return {
      settled: answered || failed || !this.#allowed,
      failed,
      fresh: answered && !this.#isOld(ticket),
      since: answered ? book.at : null,
    }
  }

  #ticket(need: Need): FetchState {
    const id = idOf(need)
    const known = this.#tickets.get(id)
    if (known !== undefined) return known
    const ticket = new FetchState(id, need.personal ? 'ownLists' : 'lists', need.key)
    this.#tickets.set(id, ticket)
    const left = this.#waits.left(id)
    if (left > 0) this.#retryIn(ticket, left)
    ticket.reading = this.#dependencies.store.observeOne(ticket.coverage, need.key).subscribe({
      next: (book) => {
        ticket.book = book
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

  #isOld({ book, needs }: FetchState): boolean {
    const age = book === null ? 0 : this.#dependencies.now() - book.at
    // Read by a clock that was ahead: nobody knows how old it is.
    return book === null || age < 0 || age >= Math.min(...needs.map(({ freshMs }) => freshMs))
  }

  /** What is due now: the need to fetch with, or null. */
  #due(ticket: FetchState): { readonly need: Need; readonly old: boolean } | null {
    const { book, needs } = ticket
    const [first] = needs
    if (!ticket.loaded || first === undefined) return null
    if (ticket.forced.length > 0) return { need: first, old: true }
    if (!ticket.due && this.#waits.left(ticket.id) > 0) return null
    if (this.#isOld(ticket)) return { need: first, old: true }
    const short =
      book === null || extent(book) === ticket.spent
        ? undefined
        : needs.find((need) => need.isIncomplete?.(book) === true)
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
    const known = ticket.book
    const tools = this.#dependencies.tools()
    const forced = ticket.forced.splice(0)
    let answered = false
    try {
      const reply = await need.fetch(tools, { known, stale: old })
      answered = reply.kind === 'done' || reply.kind === 'unchanged' || reply.kind === 'refused'
      if (answered) await this.#note(tools.store, ticket, known, old, reply)
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
    known: ListDocument | null,
    old: boolean,
    reply: CallResult<ListUpdate>,
  ): Promise<void> {
    this.#waits.succeeded(ticket.id)
    ticket.retry?.()
    const base: ListDocument = known ?? {
      id: ticket.key,
      ids: [],
      count: null,
      next: null,
      cursor: null,
      etag: null,
      at: 0,
      problem: null,
      facts: null,
    }
    const book: ListDocument = {
      ...base,
      ...(reply.kind === 'done' && reply.answer),
      id: ticket.key,
      // A further page says nothing about the age of the first.
      ...(old && {
        at: this.#dependencies.now(),
        problem: reply.kind === 'refused' ? reply.problem.code : null,
      }),
      ...(old && reply.kind === 'done' && { etag: reply.etag ?? null }),
    }
    await store.put(ticket.coverage, [book])
    ticket.book = book
    // What stays short though it was just asked for cannot be had: it is not asked for over and over.
    if (known !== null && !old && extent(book) === extent(known)) ticket.spent = extent(book)
  }

  #failed(ticket: FetchState, cause: Cause, retryAfterMs: number | null): void {
    this.#retryIn(ticket, this.#waits.failed(ticket.id, cause, retryAfterMs))
  }

  #retryIn(ticket: FetchState, ms: number): void {
    ticket.retry?.()
    ticket.retry = this.#dependencies.setTimer(ms, () => {
      // A timer may fire a moment before the clock is there, and is not set again.
      ticket.due = true
      this.#consider(ticket)
    })
  }
}

const idOf = ({ personal, key }: Need) => `${personal ? 'own' : 'all'}:${key}`
/** How far a list reaches; a thread keeps no ids, it counts its rows. */
const extent = ({ ids, count, next }: ListDocument) => `${ids.length} ${count} ${next}`

/** One need, whoever asks. */
class FetchState {
  readonly id: string
  readonly coverage: 'lists' | 'ownLists'
  readonly key: string
  /** Of each who asks: the very same need stands here as often as it is asked for. */
  readonly needs: Need[] = []
  readonly changed = new Subject<void>()
  /** Who waits for an answer that is asked for now, whatever the age. */
  readonly forced: ((answered: boolean) => void)[] = []
  book: ListDocument | null = null
  loaded = false
  running = false
  /** Its wait is over, whatever the clock says. */
  due = false
  /** The extent at which asking for more brought nothing. */
  spent: string | null = null
  reading: Subscription | null = null
  retry: (() => void) | null = null

  constructor(id: string, coverage: 'lists' | 'ownLists', key: string) {
    this.id = id
    this.coverage = coverage
    this.key = key
  }

  answer(answered: boolean): void {
    for (const resolve of this.forced.splice(0)) resolve(answered)
  }

  end(): void {
    this.reading?.unsubscribe()
    this.retry?.()
  }
}
