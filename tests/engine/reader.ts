import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { BehaviorSubject, Subject } from 'rxjs'
import type { ListingDraft } from '#schema/disk/draft'
import type { Entry } from '#schema/disk/entry'
import type { Facts, Frame, NetworkFacts, Params, QuestionName, Row } from '#schema/port/question'
import { createRefresh, type Refresh } from '#sync/inbox/refresh'
import type { HttpClient, CallResult, Tools, CurrentUser } from '#sync/noun'
import { questions } from '#sync/signed-in'
import { browserDisk } from '#sync/store/open'
import { createAnswers } from '#sync/answers'
import { openStore, type ManagedStore } from '#sync/store/store'

export interface Asked {
  readonly name: string
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, unknown>>
  readonly next: string | null
  readonly etag: string | null
}
type Reply =
  | { readonly body: unknown; readonly etag?: string }
  | Exclude<CallResult<never>, { kind: 'done' }>
/** The server's answer: a body, or a complete outcome. */
export type Server = (asked: Asked) => Reply | Promise<Reply>

export const offline: Exclude<CallResult<never>, { kind: 'done' }> = {
  kind: 'later',
  why: 'offline',
  retryAfterMs: null,
  reached: false,
}
export const refused = (status: number, code: string) => ({
  kind: 'refused' as const,
  status,
  problem: { detail: code, code },
})

/** The whole answer of a question, as a page accumulates it from frames. */
export interface Held<N extends QuestionName> {
  readonly rows: readonly Row<N>[]
  readonly facts: Facts<N>
  readonly status: Frame['status']
  readonly since: number | null
  readonly frames: number
}

/** The reading half of the engine with a fake server, and the answers as a page gets them. */
export class Reader {
  readonly asked: Asked[] = []
  readonly who = new BehaviorSubject<CurrentUser>({ me: '', username: '', language: 'fr' })
  readonly network = new BehaviorSubject<NetworkFacts>({
    network: 'online',
    socket: 'closed',
    busy: 0,
    waiting: 0,
    leader: true,
    memoryOnly: false,
  })
  readonly outbox = new BehaviorSubject<readonly Entry[]>([])
  readonly drafts = new BehaviorSubject<readonly ListingDraft[]>([])
  readonly store: ManagedStore
  readonly tools: Tools
  readonly refresh: Refresh
  saveData = false
  /** ms added to the clock. */
  skip = 0
  server: Server
  readonly failures: unknown[] = []
  sentRows = 0
  readonly frames = new Subject<{ readonly key: string; readonly frame: Frame }>()
  readonly #answers: ReturnType<typeof createAnswers>
  readonly #held = new Map<
    string,
    { rows: Map<string, { readonly id: string }>; frame: Frame; frames: number }
  >()

  private constructor(store: ManagedStore, server: Server) {
    this.store = store
    this.server = server
    const now = () => Date.now() + this.skip
    const net: HttpClient = { call: async (call, ask, read) => this.#call(call.name, ask, read) }
    this.tools = {
      store,
      http: net,
      currentUser: () => this.who.value,
      currentUser$: this.who,
      now,
      network: this.network,
      saveData: () => this.saveData,
      outbox: this.outbox,
      unreadableEntries: new BehaviorSubject([]),
      texts: new BehaviorSubject(new Map([['message:C1', 'Bonj']])),
      ephemeral: {
        set: () => undefined,
        clear: () => undefined,
        observe: () => new BehaviorSubject(null),
      },
      echoed: async () => undefined,
      eraseOwnData: async () => undefined,
      rememberSession: async () => undefined,
      refetchQuestion: () => undefined,
      endedSessionOwner: () => Promise.resolve(''),
      drafts: async () => ({
        list: async () => this.drafts.value,
        onChange: (changed) => {
          const changes = this.drafts.subscribe(changed)
          return () => changes.unsubscribe()
        },
        save: nothing,
        ownerOf: () => Promise.resolve(null),
        remove: nothing,
        savePhoto: nothing,
        photo: () => Promise.resolve(null),
        removePhoto: nothing,
        removeAllOf: nothing,
      }),
      scheduleRefetch: (need) => this.refresh.schedule(need),
    }
    this.refresh = createRefresh({
      tools: () => ({ ...this.tools, store: store.bound() }),
      store,
      outside: { now, setTimer: later, random: () => 0 },
      failed: (error) => this.failures.push(error),
    })
    this.#answers = createAnswers(questions, this.tools, this.refresh, later, (key, frame) =>
      this.#onFrame(key, frame),
    )
  }

  static async open(server: Server, { disk = newDisk(), me = '' } = {}): Promise<Reader> {
    const config = { name: nameOn(disk), version: 1, disk, setTimer: muchLater }
    const store = await openStore(config, me)
    const reader = new Reader(store, server)
    reader.who.next({ me, username: me, language: 'fr' })
    return reader
  }

  watch<N extends QuestionName>(
    name: N,
    params: Params<N>,
    key: string = name,
  ): () => Held<N> | null {
    this.#answers.watch(key, { name, params })
    return () => this.#answer<N>(key)
  }

  unwatch(key: string): void {
    this.#answers.unwatch(key)
  }

  again<N extends QuestionName>(name: N, params: Params<N>): Promise<boolean> {
    return this.#answers.again({ name, params })
  }

  goOffline(): void {
    this.network.next({ ...this.network.value, network: 'offline' })
    this.refresh.allow(false)
  }

  goOnline(): void {
    this.network.next({ ...this.network.value, network: 'online' })
    this.refresh.allow(true)
  }

  async close(): Promise<void> {
    this.#answers.close()
    await this.store.close()
  }

  #onFrame(key: string, frame: Frame): void {
    this.frames.next({ key, frame })
    this.sentRows += frame.rows.length
    const known = this.#held.get(key)?.rows ?? new Map<string, { readonly id: string }>()
    for (const row of frame.rows) known.set(row.id, row)
    this.#held.set(key, { rows: known, frame, frames: (this.#held.get(key)?.frames ?? 0) + 1 })
  }

  #answer<N extends QuestionName>(key: string): Held<N> | null {
    const held = this.#held.get(key)
    if (held === undefined) return null
    const { frame, frames } = held
    const rows = frame.ids.map((id) => held.rows.get(id))
    const answer: unknown = {
      rows,
      facts: frame.facts,
      status: frame.status,
      since: frame.since,
      frames,
    }
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the test passes the question's name
    return answer as Held<N>
  }

  async #call<A>(
    name: string,
    ask: object,
    read: ((body: unknown) => A | null) | undefined,
  ): Promise<CallResult<A>> {
    const asked: Asked = { name, params: {}, query: {}, next: null, etag: null, ...ask }
    this.asked.push(asked)
    await Promise.resolve()
    const reply = await this.server(asked)
    if ('kind' in reply) return reply
    if (reply.etag !== undefined && reply.etag === asked.etag) return { kind: 'unchanged' }
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- without a reader the body is already of type A
    const answer = read === undefined ? (reply.body as A) : read(reply.body)
    return answer === null
      ? { kind: 'later', why: 'server', retryAfterMs: null, reached: true }
      : { kind: 'done', answer, etag: reply.etag ?? null }
  }
}

function newDisk() {
  return browserDisk(
    new IDBFactory(),
    IDBKeyRange,
    () => ({
      post: () => undefined,
      close: () => undefined,
    }),
    later,
  )
}

const names = new Map<object, string>()

/**
 * One store name per disk: an answer that arrives after a test would reopen its store, and RxDB
 * closes others of that name.
 */
function nameOn(disk: object): string {
  const name = names.get(disk) ?? `test${names.size}`
  names.set(disk, name)
  return name
}

const nothing = () => Promise.resolve()

/** A loaded machine must not make the store give up its database. */
const muchLater = (ms: number, what: () => void) => later(20 * ms, what)

function later(ms: number, what: () => void): () => void {
  const timer = setTimeout(what, ms)
  return () => clearTimeout(timer)
}

/** A listing as the server sends it in a list; `age` in minutes before 2026-03-01. */
export function card(id: string, age = 0, more: object = {}): Record<string, unknown> {
  const at = new Date(Date.UTC(2026, 2, 1) - age * 60_000).toISOString()
  return {
    id,
    title: `Annonce ${id}`,
    price: 1000,
    currency: 'XOF',
    negotiable: false,
    condition: 'used',
    category: { id: 'vehicles', slug: 'vehicles', name: 'Véhicules' },
    region: 'kadiogo',
    region_name: 'Kadiogo',
    town: 'ouagadougou',
    town_name: 'Ouagadougou',
    neighbourhood: null,
    neighbourhood_name: null,
    location_note: null,
    images: [],
    images_count: 0,
    seller: {
      id: 'U2',
      username: 'seller.2',
      shop_name: 'Boutique 2',
      slug: 'boutique-2',
      avatar: null,
      verified_seller: true,
      deleted: false,
    },
    rating: { average: 4.6, count: 12 },
    status: 'active',
    review_status: 'approved',
    is_active: true,
    is_sold: false,
    is_reserved: false,
    is_archived: false,
    is_featured: false,
    has_phone: true,
    is_favorite: null,
    is_owner: false,
    views_total: 3,
    views_today: 0,
    posted_at: at,
    updated_at: at,
    ...more,
  }
}
