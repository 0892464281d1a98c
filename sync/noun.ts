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

/** Contract between machinery and nouns: a noun opens no database and no connection. */

export type * from '#schema/disk/documents'
export type { Entry } from '#schema/disk/entry'
export type { MessageContent, Payload } from '#schema/port/command'
export type {
  ConversationRow,
  Facts,
  Filters,
  ListFacts,
  NetworkFacts,
  Params,
} from '#schema/port/question'

type Bounds<V> = Partial<Record<'$gt' | '$gte' | '$lt' | '$lte', V>>

/** RxDB's Mango queries, which an index must serve whole. */
export interface Find<D> {
  selector?: { [F in keyof D]?: D[F] | Bounds<D[F]> }
  /** Ascending; one field each. Default: the last field of the collection's first index. */
  sort?: { [F in keyof D]?: 'asc' }[]
  limit?: number
}

export interface Query<T> {
  readonly $: Observable<T>
  exec(): Promise<T>
}

export interface Collection<D> {
  find(query?: Find<D>): Query<readonly D[]>
  findOne(id: string): Query<D | null>
  findByIds(ids: readonly string[]): Query<ReadonlyMap<string, D>>
  put(documents: readonly D[], merge?: (stored: D, incoming: D) => D): Promise<void>
  /** Nothing happens without such a document, or when `change` returns null. */
  change(id: string, change: (document: D) => D | null): Promise<void>
  remove(ids: readonly string[]): Promise<void>
}
export type Collections = { readonly [C in CollectionName]: Collection<Documents[C]> }

export interface Store extends Collections {
  /** For queries without an index. Keep the observable: a second call reads all again. */
  observeProjection<C extends CollectionName, T>(
    collection: C,
    project: (document: Documents[C]) => T,
  ): Observable<ReadonlyMap<string, T>>
}

export interface Person {
  readonly id: string
  readonly username: string
}

/** `me` is empty for a visitor. */
export type CurrentUser = Readonly<{
  me: string
  username: string
  language: Language
}>

export type CallOptions<C extends Call> = Readonly<{
  params?: Readonly<Record<string, string>>
  query?: QueryOf<C>
  body?: BodyOf<C> | FormData
  etag?: string | null | undefined
  /** A page's address, instead of path and query. */
  next?: string
  /** null: none is sent. */
  token?: string | null
  key?: string
}>

export type CallResult<A> =
  | (Outcome<A> & { readonly etag?: string | null })
  | { readonly kind: 'unchanged' }

export interface HttpClient {
  /** `read` parses the answer, by default with the call's schema; null: not our server's. */
  call<C extends Call, A = AnswerOf<C>>(
    call: C,
    options: CallOptions<C>,
    read?: (body: unknown) => A | null,
  ): Promise<CallResult<A>>
}

export type Tools = Readonly<{
  store: Store
  http: HttpClient
  currentUser: () => CurrentUser
  currentUser$: Observable<CurrentUser>
  now: () => number
  network: Observable<NetworkFacts>
  saveData: () => boolean
  /** The current user's, in the order of writing, without settled ones. */
  outbox: Observable<readonly Entry[]>
  unreadableEntries: Observable<Facts<'outbox.entries'>['unread']>
  texts: Observable<ReadonlyMap<string, string>>
  ephemeral: EphemeralStore
  rememberSession: (token: string, person: Person) => Promise<void>
  eraseOwnData: () => Promise<void>
  refetchQuestion: <N extends QuestionName>(name: N, params: Params<N>) => void
  /** The server has the object that this entry sends. */
  echoed: (id: string, body: unknown) => Promise<void>
  /** Empty once somebody signs in or out [S4.06]. */
  endedSessionOwner: () => Promise<string>
  drafts: () => Promise<DraftStore>
  /** Whatever its age; debounced [S9.15]. */
  scheduleRefetch: (need: Need) => void
}>

export interface DraftStore {
  /** Newest first. */
  list(owner: string): Promise<readonly ListingDraft[]>
  /** Also of other tabs. */
  onChange(changed: () => void): () => void
  save(draft: ListingDraft): Promise<void>
  ownerOf(id: string): Promise<string | null>
  remove(id: string): Promise<void>
  savePhoto(photo: DraftPhoto): Promise<void>
  photo(id: string): Promise<unknown>
  removePhoto(id: string): Promise<void>
  /** With photos of messages. */
  removeAllOf(owner: string): Promise<void>
}

export interface EphemeralStore {
  set(key: string, value: string, forMs: number): void
  clear(key: string): void
  observe(key: string): Observable<string | null>
}

export type ListUpdate = Partial<Pick<ListDocument, 'ids' | 'count' | 'next' | 'cursor' | 'facts'>>

/** What a question needs from the server, fetched once for all its readers. */
export type Need = Readonly<{
  /** Of its list document, which is in `ownLists` if personal. */
  key: string
  personal: boolean
  freshMs: number
  isIncomplete?(known: ListDocument): boolean
  /** Writes its rows; the result is written to the list document. */
  fetch(
    tools: Tools,
    context: {
      /** null: never answered. */
      readonly known: ListDocument | null
      /** false: fresh, but the reader wants more rows. */
      readonly stale: boolean
    },
  ): Promise<CallResult<ListUpdate>>
}>

export type LiveAnswer<N extends QuestionName> = Readonly<{
  rows: readonly Row<N>[]
  facts: Facts<N>
  /** Shown as loading until the needs are settled. Default: there are no rows. */
  noDataYet?: boolean
}>

export interface QuestionRule<N extends QuestionName> {
  watch(params: Params<N>, tools: Tools): Observable<LiveAnswer<N>>
  needs(params: Params<N>, tools: Tools): readonly Need[]
}
export type QuestionRules = { readonly [N in QuestionName]?: QuestionRule<N> }

export type Delivery = Readonly<{
  call: Call
  params?: Readonly<Record<string, string>>
  body?: unknown
  /** Default: the entry's id. A key belongs to one path and body [API 2]. */
  key?: string
  /** Stored photos, with `body` as form fields. */
  files?: readonly { readonly name: string; readonly photo: string }[]
  /** Default: 8 s, for texts. */
  deadlineMs?: number
}>

export type QueuedCommand<P = unknown> = Readonly<{
  id: string
  owner: string
  sequence: number
  createdAt: number
  payload: P
}>

export interface Step<P, A> extends Delivery {
  /** null: not our server's answer, so it is sent again. A 204 is passed as null. */
  answer(body: unknown): Progress<P, A> | null
  /** done: a success. A payload: what to send instead. null: refused. */
  refused?(problem: Problem, status: number): P | 'done' | null
  /** For servers that ignore keys [API 19]. */
  readonly keyless?: {
    readonly lookup: Lookup
    /** The key that the server sent back. */
    echo?(answer: A): { readonly key: string | null; readonly id: string }
  }
}

/** `next`: the payload that remains to be sent under this entry. */
export type Progress<P = unknown, A = unknown> = ({ readonly answer: A } | { readonly next: P }) & {
  readonly created?: IdMapping
}

export interface Lookup extends Delivery {
  /** The earlier try's answer; undefined: none; null: not our server's answer. */
  found(body: unknown, context: LookupContext): unknown
}

export type LookupContext = Readonly<{
  /** Of objects that belong to other entries. */
  matchedServerIds: ReadonlySet<string>
  /** By the server's clock. */
  triedAt: number
}>

/** `kind`: the payload field and the lane prefix that have the local id. */
export type IdMapping = Readonly<{
  kind: 'conversation' | 'listing'
  from: string
  to: string
}>

export interface AnyCommand {
  readonly name: CommandName
  readonly payload: unknown
}

/** Its functions are idempotent; steps are those of [SYNC 5]. */
export interface CommandRule<P, A> {
  /** `KIND:ID`, or a fixed name. */
  lane(payload: P): string
  /** Sent without a token, or saved for the next sign-in. Absent: not for visitors. */
  readonly visitor?: 'send' | 'keep'
  /** No refusal is shown; with `hidden` not the waiting entry either. */
  readonly silent?: true | 'hidden'
  /** Sent in batches after all others, dropped when old. */
  readonly gathered?: {
    readonly most: number
    deliver(queued: readonly QueuedCommand<P>[]): Delivery
  }
  /**
   * What must be done first in the lane. `alone`: replaces this one when there is none; absent:
   * this one is sent, but removed with the one it waited for.
   */
  readonly after?: { readonly command: CommandName; alone?(payload: P): AnyCommand }
  /** Before queueing: an error code, or the server's id of what the payload names. */
  check?(payload: P, tools: Tools): Promise<string | IdMapping | null>
  /** What becomes of an unsent entry of this lane. A refused one is replaced, unless null. */
  collapse?(payload: P, earlier: P): 'replace' | 'cancel' | 'same' | null
  /** By the user, of a waiting or parked entry. */
  readonly change?: {
    text?(payload: P, content: string): P
    /** Sent again under its id. */
    again?(waiting: P, incoming: P): P
    /** Sends the newest content after an older one arrived. Default: the same command. */
    followUp?(payload: P): AnyCommand
  }
  /** Step 2. */
  apply?(queued: QueuedCommand<P>, tools: Tools): Promise<void>
  /** Step 3. The service worker has no documents. */
  deliver(queued: QueuedCommand<P>): Step<P, A>
  /** Step 4; `answer` null: it was already done. */
  settle?(queued: QueuedCommand<P>, answer: A | null, tools: Tools): Promise<void>
  /** Undoes step 2. `problem` null: the user removed it. */
  revert?(queued: QueuedCommand<P>, problem: Problem | null, tools: Tools): Promise<void>
}

export type RuleOf<N extends CommandName, A> = CommandRule<Payload<N>, A>
export type CommandRules = { readonly [N in CommandName]?: RuleOf<N, unknown> }
export type AnyRule = CommandRule<unknown, unknown>
export type AnyStep = Step<unknown, unknown>

/** `frame` has extra fields [API 14.4]. */
export type EventHandler = (
  event: Notification,
  frame: Members,
  tools: Tools,
) => Promise<{ readonly notified: string | null } | void>

/** [API 14.3] */
export type EphemeralHandler = (frame: Members, tools: Tools) => void

export type RequestRule<N extends RequestName> = (
  params: RequestParams<N>,
  tools: Tools,
) => Promise<CallResult<RequestAnswers[N]>>
export type RequestRules = { readonly [N in RequestName]?: RequestRule<N> }
