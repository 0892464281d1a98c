import type { Observable } from 'rxjs'
import type { AnswerOf, BodyOf, Call, QueryOf } from '#schema/wire/call'
import type { Notification } from '#schema/wire/notification'
import type { Problem } from '#schema/wire/problem'
import type { Language } from '#schema/wire/shapes'
import type { CollectionName, Documents, ListDocument } from '#schema/disk/documents'
import type { DraftPhoto, ListingDraft } from '#schema/disk/draft'
import type { Entry } from '#schema/disk/entry'
import type { CommandName, Payload } from '#schema/port/command'
import type { Outcome } from '#schema/port/outcome'
import type { RequestAnswers, RequestName, RequestParams } from '#schema/port/request'
import type { Facts, NetworkFacts, Params, QuestionName, Row } from '#schema/port/question'

/**
 * Contract between the infrastructure (store, outbox, inbox, network), which knows no domain
 * module, and the domain modules, which open no database or connection.
 */

/** A query in index order: equality on leading fields, then a range of the last one. */
export interface Find<D> {
  readonly index: readonly (keyof D & string)[]
  readonly equals?: Partial<D>
  /** Bounds of the index's last field; `after` is exclusive. */
  readonly after?: number
  readonly upTo?: number
  readonly limit?: number
}

/** The local documents. `observe…` emits the current state and every change. */
export interface Store {
  observeOne<C extends CollectionName>(collection: C, id: string): Observable<Documents[C] | null>
  /** In the order of `ids`; missing ones are left out. */
  observeMany<C extends CollectionName>(
    collection: C,
    ids: readonly string[],
  ): Observable<readonly Documents[C][]>
  observe<C extends CollectionName>(
    collection: C,
    find: Find<Documents[C]>,
  ): Observable<readonly Documents[C][]>
  one<C extends CollectionName>(collection: C, id: string): Promise<Documents[C] | null>
  many<C extends CollectionName>(
    collection: C,
    ids: readonly string[],
  ): Promise<readonly Documents[C][]>
  find<C extends CollectionName>(
    collection: C,
    find: Find<Documents[C]>,
  ): Promise<readonly Documents[C][]>
  /**
   * A live projection of all documents of a collection, built at first use and shared by
   * subscribers of this observable. For queries without an index, such as text search.
   */
  observeProjection<C extends CollectionName, T>(
    collection: C,
    project: (document: Documents[C]) => T,
  ): Observable<ReadonlyMap<string, T>>
  /**
   * Idempotent upsert, at most 50 documents per transaction. `merge` combines the stored and the
   * incoming document.
   */
  put<C extends CollectionName>(
    collection: C,
    documents: readonly Documents[C][],
    merge?: (here: Documents[C], coming: Documents[C]) => Documents[C],
  ): Promise<void>
  /** Updates a document if it exists; `change` returns null to leave it unchanged. */
  change<C extends CollectionName>(
    collection: C,
    id: string,
    change: (document: Documents[C]) => Documents[C] | null,
  ): Promise<void>
  remove(collection: CollectionName, ids: readonly string[]): Promise<void>
}

/** `me` is empty for a visitor. */
export interface CurrentUser {
  readonly me: string
  readonly username: string
  readonly language: Language
}

export interface CallOptions<C extends Call> {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: QueryOf<C>
  /** FormData where a file is sent. */
  readonly body?: BodyOf<C> | FormData
  readonly etag?: string | null
  /** Replaces path and query. */
  readonly next?: string
  /** Overrides the session's token; null: sends none. */
  readonly token?: string | null
  /** The Idempotency-Key of a non-idempotent call that is not in the outbox. */
  readonly key?: string
}

export type CallResult<A> =
  | (Outcome<A> & { readonly etag?: string | null })
  | { readonly kind: 'unchanged' }

export interface HttpClient {
  /**
   * Sends one request. `read` parses the answer, also a simpler server's [API 19]; null: not ours,
   * so the result is `later`. Without `read`, the call's schema decides.
   */
  call<C extends Call, A = AnswerOf<C>>(
    call: C,
    ask: CallOptions<C>,
    read?: (body: unknown) => A | null,
  ): Promise<CallResult<A>>
}

export interface Tools {
  readonly store: Store
  readonly http: HttpClient
  readonly currentUser: () => CurrentUser
  readonly currentUser$: Observable<CurrentUser>
  readonly now: () => number
  readonly network: Observable<NetworkFacts>
  /** Data saver of the browser or the app: no prefetching. */
  readonly saveData: () => boolean
  /** The current user's outbox entries in the order of writing, without settled ones. */
  readonly outbox: Observable<readonly Entry[]>
  /** The current user's rows that this version cannot parse. */
  readonly unreadableEntries: Observable<readonly { readonly id: string; readonly row: unknown }[]>
  /** The current user's draft texts, by key. */
  readonly texts: Observable<ReadonlyMap<string, string>>
  /** In-memory values that expire, such as who is typing. */
  readonly ephemeral: EphemeralStore
  /** Call after a sign-in: the token's owner is then known without a request, also offline. */
  readonly rememberSession: (
    token: string,
    person: { readonly id: string; readonly username: string },
  ) => Promise<void>
  /**
   * The account was deleted: deletes all its local data, because nothing of it can be sent any
   * more.
   */
  readonly eraseOwnData: () => Promise<void>
  readonly refetchQuestion: <N extends QuestionName>(name: N, params: Params<N>) => void
  /** Owner of a session that expired, until somebody signs in or out [S4.06]; empty: none. */
  readonly endedSessionOwner: () => Promise<string>
  /** Drafts and photos; loaded at first use. */
  readonly drafts: () => Promise<DraftStore>
  /** Schedules a refetch of a need, whatever its age; debounced by [S9.15]. */
  readonly scheduleRefetch: (need: Need) => void
}

/** Listing drafts and photos by owner: user data, stored apart from the cache. */
export interface DraftStore {
  observe(owner: string): Observable<readonly ListingDraft[]>
  save(draft: ListingDraft): Promise<void>
  ownerOf(id: string): Promise<string | null>
  remove(id: string): Promise<void>
  savePhoto(photo: DraftPhoto): Promise<void>
  /** A Blob; null: missing. */
  photo(id: string): Promise<unknown>
  removePhoto(id: string): Promise<void>
  /** All data of one owner, including photos of messages. */
  removeAllOf(owner: string): Promise<void>
}

export interface EphemeralStore {
  set(key: string, value: string, forMs: number): void
  clear(key: string): void
  observe(key: string): Observable<string | null>
}

/** What a fetch adds to the list document, beside the rows that it wrote itself. */
export type ListUpdate = Partial<Pick<ListDocument, 'ids' | 'count' | 'next' | 'cursor' | 'facts'>>

export interface FetchContext {
  /** The list document of this need; null: never answered. */
  readonly known: ListDocument | null
  /** false: not stale, only incomplete. */
  readonly stale: boolean
}

/** Data that a question asks the engine to fetch. One need is fetched once for all its readers. */
export interface Need {
  /** Id of the list document that stores age and ETag. */
  readonly key: string
  /** Whether the list document is in `ownLists`. */
  readonly personal: boolean
  /** ms */
  readonly freshMs: number
  /** The list has fewer rows than this reader needs, such as one page less. */
  isIncomplete?(known: ListDocument): boolean
  /**
   * Fetches, and writes its rows. The infrastructure then writes the returned update, the age, the
   * ETag, or a refusal's code.
   */
  fetch(tools: Tools, asked: FetchContext): Promise<CallResult<ListUpdate>>
}

export interface LiveAnswer<N extends QuestionName> {
  readonly rows: readonly Row<N>[]
  readonly facts: Facts<N>
  /** No data yet: the question is loading until its needs are settled. */
  readonly empty?: boolean
}

export interface QuestionRule<N extends QuestionName> {
  /**
   * The live local answer; subscribed again when the user changes. Queries must be served by
   * indexes or ids (a test checks this).
   */
  watch(params: Params<N>, tools: Tools): Observable<LiveAnswer<N>>
  needs(params: Params<N>, tools: Tools): readonly Need[]
  /** Parameters for that test. */
  readonly samples: readonly Params<N>[]
}
export type QuestionRules = { readonly [N in QuestionName]?: QuestionRule<N> }

/** The HTTP request of an entry. Also built by the service worker, which has no documents. */
export interface Delivery {
  readonly call: Call
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | number>>
  readonly body?: unknown
  /** Replaces the entry's id as the key, where an entry needs several requests. */
  readonly key?: string
  /**
   * Photos to send as files, with `body` as form fields. The infrastructure loads them when it
   * sends.
   */
  readonly files?: readonly { readonly name: string; readonly photo: string }[]
  /** Default: 8 s, for texts. */
  readonly deadlineMs?: number
}

export interface QueuedCommand<P> {
  readonly id: string
  readonly owner: string
  readonly sequence: number
  readonly createdAt: number
  readonly payload: P
}

/** Limits which rows a lookup may match with an entry. */
export interface ReadBackContext {
  /** Server ids already matched with other entries. */
  readonly claimed: ReadonlySet<string>
  /** Time of the first try in ms, by the server's clock. */
  readonly triedAt: number
}

/**
 * Maps a local id to the server's; `kind` is the payload field and the lane prefix that contain the
 * id.
 */
export interface IdMapping {
  readonly kind: 'conversation' | 'listing'
  readonly from: string
  readonly to: string
}

export interface CollapseResult {
  readonly drop: readonly string[]
  /** Id of the command itself or of an equivalent entry; null: nothing has to be sent. */
  readonly instead: string | null
}

/**
 * Rule of an offline command: `P` its payload, `A` the server's answer. Every function must be
 * idempotent. Steps 1 to 5 are those of [SYNC 5].
 */
export interface CommandRule<P, A> {
  /**
   * Entries of one lane are sent one by one in the order of writing: `KIND:ID`, or a fixed name.
   */
  lane(payload: P): string
  /** Views and measurements: sent last, dropped when old. */
  readonly lowPriority?: boolean
  /** A refusal is dropped without telling the user. */
  readonly silent?: boolean
  /** Not a user action, so not shown among the waiting entries. */
  readonly hidden?: boolean
  /**
   * For visitors: sent without a token, or saved for the next user who signs in. Absent: only for
   * signed-in users.
   */
  readonly visitor?: 'send' | 'keep'
  readonly after?: readonly CommandName[]
  /** Maps between local and server id of the object that the payload names, if both are known. */
  resolveId?(payload: P, tools: Tools): Promise<IdMapping | null>
  /**
   * Which entries of this name and lane are obsolete, among those never sent (`waiting`) and those
   * refused; and which entry represents this command.
   */
  collapse?(
    payload: P,
    waiting: readonly QueuedCommand<P>[],
    refused: readonly QueuedCommand<P>[],
    id: string,
  ): CollapseResult
  /** Error code to refuse before queueing, such as for a message to oneself. */
  refuseEarly?(payload: P, tools: Tools): Promise<string | null>
  /** Step 2: writes the optimistic documents. */
  apply?(queued: QueuedCommand<P>, tools: Tools): Promise<void>
  /** Step 3; must not read documents. */
  deliver(queued: QueuedCommand<P>): Delivery
  /** Sends several entries in one request, at most `most`. */
  readonly batch?: { readonly most: number; deliver(queued: readonly QueuedCommand<P>[]): Delivery }
  /** The answer, if it is ours and has our content; null: retry later. A 204 is passed as null. */
  answer(body: unknown, queued: QueuedCommand<P>): A | null
  /**
   * Before a retry with unknown outcome on a server that ignores keys [API 19]: the lookup of an
   * earlier effect. `found` undefined: there is none; null: the body is not ours.
   */
  readBack?(
    queued: QueuedCommand<P>,
  ): (Delivery & { found(body: unknown, since: ReadBackContext): unknown }) | null
  /** The echoed key, and the server's id of the created object. */
  echo?(answer: A): { readonly key: string | null; readonly id: string } | null
  /** The payload for a retry, if the refusal can be repaired automatically. */
  repair?(payload: P, problem: Problem, status: number): P | null
  bytes?(payload: P): number
  wifiOnly?(payload: P): boolean
  /** Combines a command that was sent again with its waiting or parked entry. */
  merge?(waiting: P, coming: P): P
  /** Whether a refusal means "already done", which counts as success. */
  isAlreadyDone?(problem: Problem, status: number, queued: QueuedCommand<P>): boolean
  /** The server's id of an object created locally; dependent entries are renamed. */
  createdId?(payload: P, answer: A): IdMapping | null
  /**
   * The remaining request after this answer, sent under the same entry; its payload includes data
   * of the answer.
   */
  nextStep?(payload: P, answer: A): { readonly name: CommandName; readonly payload: unknown } | null
  /** Step 4: writes the server's documents; `answer` null: it was already done. */
  settle?(queued: QueuedCommand<P>, answer: A | null, tools: Tools): Promise<void>
  /**
   * Undoes the optimistic documents. `problem`: the server's refusal; null: the user removed the
   * entry.
   */
  revert?(queued: QueuedCommand<P>, problem: Problem | null, tools: Tools): Promise<void>
  /** A user's edit of a waiting entry; absent: not editable. */
  edit?(payload: P, content: string): P
  /**
   * The command that sends the newest content after an older version arrived; absent: the same
   * command.
   */
  followUp?(payload: P, answer: A): { readonly name: CommandName; readonly payload: unknown }
  /** The command to use if no entry of `after` precedes it in its lane; null: unchanged. */
  alone?(payload: P): { readonly name: CommandName; readonly payload: unknown } | null
  /**
   * The entry it depended on was removed: the command that replaces this one; null: remove it too.
   */
  orphaned?(
    payload: P,
    removed: { readonly name: CommandName; readonly payload: unknown },
  ): { readonly name: CommandName; readonly payload: unknown } | null
}

/** Rules loaded so far, by name. Payloads are parsed by their schema before a rule gets them. */
export type CommandRules = { readonly [N in CommandName]?: CommandRule<Payload<N>, unknown> }
export type AnyRule = CommandRule<unknown, unknown>

/** `notified`: id of a notification to show on screen. */
export interface EventResult {
  readonly notified: string | null
}

/**
 * Handles a deduplicated event of socket, poll or push; `frame` has its extra fields [API 14.4].
 */
export type EventHandler = (
  event: Notification,
  frame: Readonly<Record<string, unknown>>,
  tools: Tools,
) => Promise<EventResult | void>

/** Handles an ephemeral socket frame with its own `type` [API 14.3]. */
export type EphemeralHandler = (frame: Readonly<Record<string, unknown>>, tools: Tools) => void

/** A request that is completed now or fails; never queued. */
export type RequestRule<N extends RequestName> = (
  params: RequestParams<N>,
  tools: Tools,
) => Promise<Outcome<RequestAnswers[N]>>
export type RequestRules = { readonly [N in RequestName]?: RequestRule<N> }
