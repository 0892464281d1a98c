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
 * The contract between the machinery (store, outbox, inbox, network), which never names a noun,
 * and the nouns, which never open a database or a connection.
 */

/** Rows of a collection in the order of one of its indexes: equal leading fields, then a range of the last one. */
export interface Find<D> {
  readonly index: readonly (keyof D & string)[]
  readonly equals?: Partial<D>
  /** Bounds of the index's last field; `after` is exclusive. */
  readonly after?: number
  readonly upTo?: number
  readonly limit?: number
}

/** The phone's documents. Live answers begin with what is there and go on with every change. */
export interface Store {
  observeOne<C extends CollectionName>(collection: C, id: string): Observable<Documents[C] | null>
  /** In the order of `ids`; those that are not here are left out. */
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
   * Every document of a collection as `project` makes it, kept fresh: built at first use, shared by all readers of this
   * observable. For what no index can answer, such as text search.
   */
  observeProjection<C extends CollectionName, T>(
    collection: C,
    project: (document: Documents[C]) => T,
  ): Observable<ReadonlyMap<string, T>>
  /** Upserts, at most 50 documents a transaction; writing twice does no harm. `merge` makes one of what was here and what comes. */
  put<C extends CollectionName>(
    collection: C,
    documents: readonly Documents[C][],
    merge?: (here: Documents[C], coming: Documents[C]) => Documents[C],
  ): Promise<void>
  /** Changes one document if it is here; `change` answers null to leave it alone. */
  change<C extends CollectionName>(
    collection: C,
    id: string,
    change: (document: Documents[C]) => Documents[C] | null,
  ): Promise<void>
  remove(collection: CollectionName, ids: readonly string[]): Promise<void>
}

/** Who asks. `me` is empty for a visitor. */
export interface CurrentUser {
  readonly me: string
  readonly username: string
  readonly language: Language
}

export interface CallOptions<C extends Call> {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: QueryOf<C>
  /** A form where a file goes along. */
  readonly body?: BodyOf<C> | FormData
  /** Sent as If-None-Match; the answer may then be `unchanged`. */
  readonly etag?: string | null
  /** A follow-up page: the `next` of an answer, in place of path and query. */
  readonly next?: string
  /** Under this token instead of the session's; null: under none. */
  readonly token?: string | null
  /** The Idempotency-Key of a call that must not be done twice and waits in no outbox. */
  readonly key?: string
}

export type CallResult<A> =
  | (Outcome<A> & { readonly etag?: string | null })
  | { readonly kind: 'unchanged' }

export interface HttpClient {
  /**
   * One call. `read` makes the answer of what came ([API 19]: a simpler server's shapes too) or answers null
   * when it is not ours, which is then `later`. Without `read` the call's own schema decides.
   */
  call<C extends Call, A = AnswerOf<C>>(
    call: C,
    ask: CallOptions<C>,
    read?: (body: unknown) => A | null,
  ): Promise<CallResult<A>>
}

/** What a noun may use while it reads, applies and receives. */
export interface Tools {
  readonly store: Store
  readonly http: HttpClient
  readonly currentUser: () => CurrentUser
  readonly currentUser$: Observable<CurrentUser>
  readonly now: () => number
  readonly network: Observable<NetworkFacts>
  /** The browser's or the person's wish to spend little data: nothing is fetched ahead. */
  readonly saveData: () => boolean
  /** Entries of the outbox that belong to `who` and are not acknowledged away, in order of writing. */
  readonly outbox: Observable<readonly Entry[]>
  /** Rows of theirs that this version cannot read. */
  readonly unreadableEntries: Observable<readonly { readonly id: string; readonly row: unknown }[]>
  /** Texts that `who` left in composers, by key. */
  readonly texts: Observable<ReadonlyMap<string, string>>
  /** Things that live only in memory and end by themselves, such as who is typing. */
  readonly ephemeral: EphemeralStore
  /** A sign-in was answered: from here on the token is known without asking, offline too. */
  readonly rememberSession: (
    token: string,
    person: { readonly id: string; readonly username: string },
  ) => Promise<void>
  /** The account of whoever is in is no more: what they wrote and nobody has can be sent by nobody, and leaves the phone. */
  readonly eraseOwnData: () => Promise<void>
  /** Asks again soon what a question needs. */
  readonly refetchQuestion: <N extends QuestionName>(name: N, params: Params<N>) => void
  /** Whose session ended by itself, while nobody signed in or out since [S4.06]; empty: nobody's. */
  readonly endedSessionOwner: () => Promise<string>
  /** Drafts and photos; loaded when first needed. */
  readonly drafts: () => Promise<DraftStore>
  /** Asks a need again soon, whatever its age; many wishes within [S9.15] make one call. */
  readonly scheduleRefetch: (need: Need) => void
}

/** What is being written for sale: truth, kept beside the outbox, by its owner. */
export interface DraftStore {
  observe(owner: string): Observable<readonly ListingDraft[]>
  save(draft: ListingDraft): Promise<void>
  /** null: no such draft. */
  ownerOf(id: string): Promise<string | null>
  /** With its photos. */
  remove(id: string): Promise<void>
  savePhoto(photo: DraftPhoto): Promise<void>
  /** The Blob; null: it is not here. */
  photo(id: string): Promise<unknown>
  removePhoto(id: string): Promise<void>
  /** All that somebody keeps here, photos of messages too. */
  removeAllOf(owner: string): Promise<void>
}

export interface EphemeralStore {
  set(key: string, value: string, forMs: number): void
  clear(key: string): void
  observe(key: string): Observable<string | null>
}

/** What a fetch learned for the list document, beside the rows that it wrote down itself. */
export type ListUpdate = Partial<Pick<ListDocument, 'ids' | 'count' | 'next' | 'cursor' | 'facts'>>

export interface FetchContext {
  /** The books of this need; null: never answered. */
  readonly known: ListDocument | null
  /** Its age is over `freshMs`, or a person asked for it; else it is only `short`. */
  readonly stale: boolean
}

/** Something a question misses on the phone. One need is fetched once for all its readers. */
export interface Need {
  /** Of the list document that keeps its age and ETag. */
  readonly key: string
  /** Personal needs keep their books in `ownLists`. */
  readonly personal: boolean
  /** ms after which it is asked again when somebody looks. */
  readonly freshMs: number
  /** The books cover less than this reader wants, such as one page more. */
  isIncomplete?(known: ListDocument): boolean
  /** Fetches and writes its rows down; the machinery then writes what is noted, the age, the ETag, or a refusal's code. */
  fetch(tools: Tools, asked: FetchContext): Promise<CallResult<ListUpdate>>
}

export interface LiveAnswer<N extends QuestionName> {
  readonly rows: readonly Row<N>[]
  readonly facts: Facts<N>
  /** Nothing is known yet: the question is loading until its needs are settled. */
  readonly empty?: boolean
}

export interface QuestionRule<N extends QuestionName> {
  /** The answer of the phone, live; asked anew when another person enters. Served by indexes or ids alone (tested by machine). */
  watch(params: Params<N>, tools: Tools): Observable<LiveAnswer<N>>
  needs(params: Params<N>, tools: Tools): readonly Need[]
  /** Parameters with which the machine test asks. */
  readonly samples: readonly Params<N>[]
}
export type QuestionRules = { readonly [N in QuestionName]?: QuestionRule<N> }

/** The wire request of a delivery, also made by the service worker, which has no documents. */
export interface Delivery {
  readonly call: Call
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | number>>
  readonly body?: unknown
  /** Instead of the entry's id, where an entry takes several calls. */
  readonly key?: string
  /** Photos that go along as files, with `body` as the fields of the form; the machinery reads them when it sends. */
  readonly files?: readonly { readonly name: string; readonly photo: string }[]
  /** Texts 8 s; what is heavy needs longer. */
  readonly deadlineMs?: number
}

/** A command that waits, as its rule sees it. */
export interface QueuedCommand<P> {
  readonly id: string
  readonly owner: string
  readonly sequence: number
  readonly createdAt: number
  readonly payload: P
}

/** What reading back may take for an entry's own effect. */
export interface ReadBackContext {
  /** Server ids that other entries' answers named. */
  readonly claimed: ReadonlySet<string>
  /** The first try, ms by the server's clock. */
  readonly triedAt: number
}

/** How an id made on the phone is called by the server: `KIND` names the member of payloads and the lane that carry it. */
export interface IdMapping {
  readonly kind: 'conversation' | 'listing'
  readonly from: string
  readonly to: string
}

export interface CollapseResult {
  readonly drop: readonly string[]
  /** The command's own id, or an entry's that says the same; null: nothing has to be sent. */
  readonly instead: string | null
}

/**
 * A command that works offline: `P` its payload, `A` the server's answer. Everything may happen twice and must do no harm.
 * Steps 1 to 5 are those of [SYNC 5].
 */
export interface CommandRule<P, A> {
  /** Entries of one lane are sent one by one in the order of writing: `KIND:ID`, or a word for a lane of its own. */
  lane(payload: P): string
  /** Views and measurements: after everything else, and given up when they are old. */
  readonly lowPriority?: boolean
  /** Nobody waits for it: a refusal is dropped without a word. */
  readonly silent?: boolean
  /** Nobody asked for it: it is not shown among what waits. */
  readonly hidden?: boolean
  /** For visitors: sent without a token, or kept for whoever signs in next. Absent: only for signed-in people. */
  readonly visitor?: 'send' | 'keep'
  /** Commands of the same lane that must succeed first. */
  readonly after?: readonly CommandName[]
  /** The server's name for what the command may still call by the phone's, or the other way round, where the phone knows both. */
  resolveId?(payload: P, tools: Tools): Promise<IdMapping | null>
  /**
   * Which entries of the lane and of this name are not needed any more, among those that surely never left and those that were
   * refused, which a new word replaces; and what stands for this one, the newest of them all.
   */
  collapse?(
    payload: P,
    waiting: readonly QueuedCommand<P>[],
    refused: readonly QueuedCommand<P>[],
    id: string,
  ): CollapseResult
  /** Refused before it is queued, such as a message to oneself: a problem's code. */
  refuseEarly?(payload: P, tools: Tools): Promise<string | null>
  /** Step 2: the optimistic documents. */
  apply?(queued: QueuedCommand<P>, tools: Tools): Promise<void>
  /** Step 3, without documents. */
  deliver(queued: QueuedCommand<P>): Delivery
  /** Sends several at once where the server can take them. */
  readonly batch?: { readonly most: number; deliver(queued: readonly QueuedCommand<P>[]): Delivery }
  /** The answer, if it is ours and holds our own content; null: not an answer, try later. A 204 comes as null. */
  answer(body: unknown, queued: QueuedCommand<P>): A | null
  /** Before it is sent again with an unknown outcome to a server that ignores keys [API 19]: where its effect would show. */
  readBack?(
    queued: QueuedCommand<P>,
  ): (Delivery & { found(body: unknown, since: ReadBackContext): unknown }) | null
  /** The key that the answer echoes, and the server's id of what it made. */
  echo?(answer: A): { readonly key: string | null; readonly id: string } | null
  /** What the entry itself can mend after a refusal: the payload with which it goes on. */
  repair?(payload: P, problem: Problem, status: number): P | null
  /** Sending it costs so many bytes, and it may wait for Wi-Fi. */
  bytes?(payload: P): number
  wifiOnly?(payload: P): boolean
  /** The same command sent again with other content while it waits or is parked: what it becomes. */
  merge?(waiting: P, coming: P): P
  /** A refusal that means "already so" is success. */
  isAlreadyDone?(problem: Problem, status: number, queued: QueuedCommand<P>): boolean
  /** The server's name for what was made on the phone; entries behind it are renamed with it. */
  createdId?(payload: P, answer: A): IdMapping | null
  /** What is still to be done after this answer, under the same entry: the next step, with what the answer said in its payload. */
  nextStep?(payload: P, answer: A): { readonly name: CommandName; readonly payload: unknown } | null
  /** Step 4: the server's documents; null: it was already so. */
  settle?(queued: QueuedCommand<P>, answer: A | null, tools: Tools): Promise<void>
  /** The server refused it (problem), or the person removed it (null): what the documents must say now. */
  revert?(queued: QueuedCommand<P>, problem: Problem | null, tools: Tools): Promise<void>
  /** A person's edit of what waits; absent: it cannot be edited. */
  edit?(payload: P, content: string): P
  /** An older version of it had arrived before it was changed: the command that says the newest beside that; absent: the same. */
  followUp?(payload: P, answer: A): { readonly name: CommandName; readonly payload: unknown }
  /** Nothing that must succeed first is in its lane: the command that does that too; null: it goes as it is. */
  alone?(payload: P): { readonly name: CommandName; readonly payload: unknown } | null
  /** The entry it waited for was removed: what it becomes, else it goes too. */
  orphaned?(
    payload: P,
    removed: { readonly name: CommandName; readonly payload: unknown },
  ): { readonly name: CommandName; readonly payload: unknown } | null
}

/** By name, as far as they are loaded; a payload is parsed by its schema before its rule sees it. */
export type CommandRules = { readonly [N in CommandName]?: CommandRule<Payload<N>, unknown> }
export type AnyRule = CommandRule<unknown, unknown>

/** What became known of an event: `notified` names a notification that deserves a word on screen. */
export interface EventResult {
  readonly notified: string | null
}

/** An event from the socket, a poll or a push, after it was seen to be new; `frame` holds what came along [API 14.4]. */
export type EventHandler = (
  event: Notification,
  frame: Readonly<Record<string, unknown>>,
  tools: Tools,
) => Promise<EventResult | void>

/** Something true for a moment that the socket says by a `type` of its own [API 14.3]. */
export type EphemeralHandler = (frame: Readonly<Record<string, unknown>>, tools: Tools) => void

/** What only the server can settle now; it never waits in the outbox. */
export type RequestRule<N extends RequestName> = (
  params: RequestParams<N>,
  tools: Tools,
) => Promise<Outcome<RequestAnswers[N]>>
export type RequestRules = { readonly [N in RequestName]?: RequestRule<N> }
