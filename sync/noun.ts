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
import type { Members } from '#schema/tolerant'

/**
 * Contract between machinery and nouns. The machinery knows no noun; a noun opens no database and no
 * connection.
 */

type Bounds<V> = { readonly $gt?: V; readonly $gte?: V; readonly $lt?: V; readonly $lte?: V }

/** What nouns use of RxDB's Mango queries. An index must serve them whole. */
export interface Find<D> {
  selector?: { [F in keyof D]?: D[F] | Bounds<D[F]> }
  /** Ascending; one field each. */
  sort?: { [F in keyof D]?: 'asc' }[]
  limit?: number
}

export interface Query<T> {
  /** The current answer and every later one. */
  readonly $: Observable<T>
  exec(): Promise<T>
}

/** A collection of the current database: RxDB's queries, and writes, with plain rows. */
export interface Collection<D> {
  find(query?: Find<D>): Query<readonly D[]>
  findOne(id: string): Query<D | null>
  /** Missing ones are left out. */
  findByIds(ids: readonly string[]): Query<ReadonlyMap<string, D>>
  /** Idempotent upsert, at most 50 documents per transaction. */
  put(documents: readonly D[], merge?: (stored: D, incoming: D) => D): Promise<void>
  /** Updates a document if it exists; `change` returns null to leave it unchanged. */
  change(id: string, change: (document: D) => D | null): Promise<void>
  remove(ids: readonly string[]): Promise<void>
}
export type Collections = { readonly [C in Name]: Collection<Documents[C]> }

/** The local documents. */
export interface Store extends Collections {
  /**
   * A live projection of all documents, for queries without an index, such as text search. Keep
   * the observable, whose subscribers share it: a second call builds a second projection.
   */
  observeProjection<C extends Name, T>(
    collection: C,
    project: (document: Documents[C]) => T,
  ): Observable<ReadonlyMap<string, T>>
}
export type Name = CollectionName

export interface Person {
  readonly id: string
  readonly username: string
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
   * `read` parses the answer, also of a simpler server [API 19]; null: it is not our server's, so
   * the result is `later`. Without `read`, the call's schema decides.
   */
  call<C extends Call, A = AnswerOf<C>>(
    call: C,
    options: CallOptions<C>,
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
  readonly unreadableEntries: Observable<Facts<'outbox.entries'>['unread']>
  /** Unsent texts of chats and forms, by key. */
  readonly texts: Observable<ReadonlyMap<string, string>>
  readonly ephemeral: EphemeralStore
  /** After a sign-in: the token's owner is then known offline too. */
  readonly rememberSession: (token: string, person: Person) => Promise<void>
  /** The account was deleted: nothing of it can be sent any more. */
  readonly eraseOwnData: () => Promise<void>
  readonly refetchQuestion: <N extends QuestionName>(name: N, params: Params<N>) => void
  /** The server has the object that this entry sends: its answer is not needed any more. */
  readonly echoed: (id: string, body: unknown) => Promise<void>
  /** Account whose session expired; empty once somebody signs in or out [S4.06]. */
  readonly endedSessionOwner: () => Promise<string>
  /** Listing drafts, and photos; loaded at first use. */
  readonly drafts: () => Promise<DraftStore>
  /** Schedules a refetch of a need, whatever its age; debounced by [S9.15]. */
  readonly scheduleRefetch: (need: Need) => void
}

/** Listing drafts and photos by owner: user data, stored apart from the cache. */
export interface DraftStore {
  /** Newest first. */
  list(owner: string): Promise<readonly ListingDraft[]>
  /** Calls back after each change in any tab, until the returned function is called. */
  onChange(changed: () => void): () => void
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

/** The new values of the list document. The fetch has already written the rows. */
export type ListUpdate = Partial<Pick<ListDocument, 'ids' | 'count' | 'next' | 'cursor' | 'facts'>>

export interface FetchContext {
  /** The list document of this need; null: never answered. */
  readonly known: ListDocument | null
  /** true: too old; false: fresh, but the reader wants more rows. */
  readonly stale: boolean
}

/** Data that a question needs from the server. It is fetched once for all its readers. */
export interface Need {
  /** Id of the list document that stores age and ETag. */
  readonly key: string
  /** The list document is in `ownLists`. */
  readonly personal: boolean
  /** ms */
  readonly freshMs: number
  /** The list has fewer rows than this reader needs. */
  isIncomplete?(known: ListDocument): boolean
  /** Fetches, and writes its rows. Its list document is then updated from the result. */
  fetch(tools: Tools, context: FetchContext): Promise<CallResult<ListUpdate>>
}

export interface LiveAnswer<N extends QuestionName> {
  readonly rows: readonly Row<N>[]
  readonly facts: Facts<N>
  /** The question is loading until its needs are settled. Default: there are no rows. */
  readonly noDataYet?: boolean
}

export interface QuestionRule<N extends QuestionName> {
  /**
   * The local answer; subscribed again when the user changes. An index must serve its queries.
   */
  watch(params: Params<N>, tools: Tools): Observable<LiveAnswer<N>>
  needs(params: Params<N>, tools: Tools): readonly Need[]
}
export type QuestionRules = { readonly [N in QuestionName]?: QuestionRule<N> }

/** The HTTP request of an entry. Also built by the service worker, which has no documents. */
export interface Delivery {
  readonly call: Call
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | number>>
  readonly body?: unknown
  /** Replaces the entry's id as the key: a key belongs to one path and body [API 2]. */
  readonly key?: string
  /** Stored photos to send as files, with `body` as form fields. */
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

/** A request of a command, and what its answers mean. The payload says which request is next. */
export interface Step<P, A> extends Delivery {
  /**
   * null: the body cannot be our server's answer to this request, so it is sent again later. A 204
   * is passed as null.
   */
  answer(body: unknown): Progress<P, A> | null
  /** done: the refusal counts as success. A payload: what to send instead. null: it is refused. */
  refused?(problem: Problem, status: number): P | 'done' | null
  /** For servers that ignore keys [API 19]. */
  readonly keyless?: Keyless<A>
}

/** `next`: the payload whose requests remain, sent under the same entry. */
export type Progress<P, A> = ({ readonly answer: A } | { readonly next: P }) & {
  /** The server's id of an object created locally; dependent entries are renamed. */
  readonly created?: IdMapping
}

export interface Keyless<A> {
  /** Shows whether an earlier try with unknown outcome took effect. */
  readonly lookup: Lookup
  /** The idempotency key that the server sent back, and its id of the created object. */
  echo?(answer: A): { readonly key: string | null; readonly id: string }
}

/**
 * `found` returns the effect of an earlier try as the answer; undefined: there is none; null: not an
 * answer of our server.
 */
export interface Lookup extends Delivery {
  found(body: unknown, context: LookupContext): unknown
}

export interface LookupContext {
  /** Server ids of objects that belong to other entries. */
  readonly matchedServerIds: ReadonlySet<string>
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

export interface AnyCommand {
  readonly name: CommandName
  readonly payload: unknown
}

/** How a user may change a waiting or parked entry. */
export interface Change<P> {
  text?(payload: P, content: string): P
  /** The command was sent again under its id. */
  again?(waiting: P, incoming: P): P
  /**
   * An older payload reached the server first: the command that sends the newest content. Absent: the
   * same command.
   */
  followUp?(payload: P): AnyCommand
}

/**
 * Rule of an offline command: `P` its payload, `A` the server's answer. Every function must be
 * idempotent. Steps 1 to 5 are those of [SYNC 5].
 */
export interface CommandRule<P, A> {
  /** `KIND:ID`, or a fixed name. Entries of one lane are sent one by one in the order of writing. */
  lane(payload: P): string
  /** Sent without a token, or saved for the next user who signs in. Absent: not for visitors. */
  readonly visitor?: 'send' | 'keep'
  /** The user does not see a refusal; with `hidden` not the waiting entry either. */
  readonly silent?: true | 'hidden'
  /** Views and measurements: gathered into batches, sent last, dropped when old. */
  readonly gathered?: {
    readonly most: number
    deliver(queued: readonly QueuedCommand<P>[]): Delivery
  }
  /**
   * A command of the same lane that must be done before this one. `alone`: what replaces this one
   * when none is left in the lane; absent: it is sent, but removed with the one it waited for.
   */
  readonly after?: { readonly command: CommandName; alone?(payload: P): AnyCommand }
  /**
   * Before queueing: an error code to refuse, such as for a message to oneself; or the server's id of
   * the object that the payload names locally.
   */
  check?(payload: P, tools: Tools): Promise<string | IdMapping | null>
  /**
   * What happens to an earlier entry of this name and lane that is not sent yet: this command
   * replaces or cancels it, or is the same. One that was refused is replaced in any case but null.
   */
  collapse?(payload: P, earlier: P): 'replace' | 'cancel' | 'same' | null
  readonly change?: Change<P>
  /** Step 2: writes the optimistic documents. */
  apply?(queued: QueuedCommand<P>, tools: Tools): Promise<void>
  /** Step 3: the next request; must not read documents. */
  deliver(queued: QueuedCommand<P>): Step<P, A>
  /** Step 4: writes the server's documents; `answer` null: it was already done. */
  settle?(queued: QueuedCommand<P>, answer: A | null, tools: Tools): Promise<void>
  /** Undoes the optimistic documents. `problem` null: the user removed the entry. */
  revert?(queued: QueuedCommand<P>, problem: Problem | null, tools: Tools): Promise<void>
}

/** Rules loaded so far. They get payloads that are parsed. */
export type CommandRules = { readonly [N in CommandName]?: CommandRule<Payload<N>, unknown> }
export type AnyRule = CommandRule<unknown, unknown>
export type AnyStep = Step<unknown, unknown>

/**
 * Handles a deduplicated event of socket, poll or push; `frame` has its extra fields [API 14.4].
 * `notified`: id of a notification to show on screen.
 */
export type EventHandler = (
  event: Notification,
  frame: Members,
  tools: Tools,
) => Promise<{ readonly notified: string | null } | void>

/** Handles an ephemeral socket frame with its own `type` [API 14.3]. */
export type EphemeralHandler = (frame: Members, tools: Tools) => void

export type RequestRule<N extends RequestName> = (
  params: RequestParams<N>,
  tools: Tools,
) => Promise<CallResult<RequestAnswers[N]>>
export type RequestRules = { readonly [N in RequestName]?: RequestRule<N> }
