import * as v from 'valibot'
import { LIST_ROWS_MAX, THREAD_ROWS_MAX } from '../limits.ts'
import type {
  AccountDocument,
  CatalogueDocument,
  ConversationDocument,
  ListingDocument,
  MessageDocument,
  NotificationDocument,
  OwnListingDocument,
  ShopDocument,
} from '../disk/documents.ts'
import type { ListingDraft } from '../disk/draft.ts'
import type { Entry, EntryCounts } from '../disk/entry.ts'
import type { DatabaseProblem } from './outcome.ts'
import type { Facets } from '../wire/listing.ts'
import type { OwnTotals } from '../wire/own.ts'
import type { Preferences } from '../wire/notification.ts'
import type { Review, ReviewAggregate } from '../wire/review.ts'
import type { SavedSearch } from '../wire/search.ts'
import { type SellerMini, whole } from '../wire/shapes.ts'
import type { Suggestions } from '../wire/suggestion.ts'

const limit = whole(1, LIST_ROWS_MAX)
/** From a URL, so any text: a question that the port rejects is never answered. */
const id = v.string()
export const draftKey = v.pipe(v.string(), v.regex(/^[a-z]+:[A-Za-z0-9_-]{1,80}$/))
/** By the names of [API 8.2], with values as in a URL. */
const filters = v.record(v.string(), v.string())
export type Filters = v.InferOutput<typeof filters>

const none = v.object({})
const typed = v.object({ search: v.string(), category: v.nullable(v.string()) })

export const questions = {
  /**
   * `from` identifies one reading, whose order is stable; a new value shows the rows that waited.
   */
  'listings.browse': v.object({ filters, limit, from: v.optional(v.number()) }),
  'listings.facets': v.object({ filters }),
  'listings.recommended': v.object({
    type: v.picklist(['for_you', 'trending', 'recent', 'featured', 'followed']),
    limit,
  }),
  'listings.similar': v.object({ id }),
  'listings.related': v.object({ id }),
  'listings.suggested': typed,
  'searches.suggested': typed,
  'listings.saved': none,
  'saved.ids': none,
  /** `active`: all but archived [API 9.7]. */
  'listings.mine': v.object({ status: v.picklist(['active', 'all', 'archived']) }),
  'listing.detail': v.object({ id }),
  'seller.follow': v.object({ id }),
  'searches.saved': none,
  'listing.drafts': none,
  'shop.reviews': v.object({ slug: id, limit }),
  'shop.detail': v.object({ slug: id }),
  'shop.listings': v.object({ slug: id, filters, limit, from: v.optional(v.number()) }),
  'conversations.list': v.object({ search: v.string() }),
  'conversation.detail': v.object({ id }),
  'messages.thread': v.object({
    conversation: id,
    limit: whole(1, THREAD_ROWS_MAX),
    local: v.optional(v.boolean()),
  }),
  'notifications.latest': v.object({ limit }),
  'account.me': none,
  'account.preferences': none,
  'account.blocked': none,
  'draft.text': v.object({ key: draftKey }),
  'catalogue.specs': none,
  'catalogue.places': none,
  'outbox.entries': none,
  'network.state': none,
} as const

export type QuestionName = keyof typeof questions
export type Params<N extends QuestionName> = v.InferOutput<(typeof questions)[N]>
export interface Question<N extends QuestionName = QuestionName> {
  readonly name: N
  readonly params: Params<N>
}

/** The first `covered` rows of the local answer equal the server's. */
export type ListFacts = Readonly<{
  count: number | null
  /** false: at least `count` [D106]. */
  countIsExact?: boolean
  coverage: 'covered' | 'partial' | 'phone'
  covered: number
  /** Can be loaded, locally or from the server. */
  more: boolean
  /** New rows behind a pill, so that the rows being read do not move. */
  waiting: number
  problem: string | null
}>

export type NetworkFacts = Readonly<{
  network: 'online' | 'weak' | 'captive' | 'offline'
  socket: 'open' | 'connecting' | 'closed'
  /** In flight, with a user who waits [S2.29]. */
  busy: number
  waiting: number
  leader: boolean
  memoryOnly: boolean
  databaseProblem?: DatabaseProblem
}>

export interface ConversationRow extends ConversationDocument {
  /** Of a last message that has not reached the server. */
  readonly unsent: 'queued' | 'refused' | null
}

interface Answer<Row, Facts = Readonly<Record<string, never>>> {
  row: Row
  facts: Facts
}

type ListingList = Answer<ListingDocument, ListFacts>

export interface Answers {
  'listings.browse': ListingList
  'listings.facets': Answer<never, { facets: Facets | null }>
  'listings.recommended': ListingList
  'listings.similar': ListingList
  'listings.related': ListingList
  'listings.suggested': Answer<ListingDocument>
  /** null: not answered yet, or the text is too short. */
  'searches.suggested': Answer<never, { suggestions: Suggestions | null }>
  'listings.saved': Answer<ListingDocument, { missing: readonly string[] }>
  'saved.ids': Answer<never, { ids: readonly string[] }>
  'listings.mine': Answer<OwnListingDocument, { totals: OwnTotals | null }>
  'seller.follow': Answer<never, { following: boolean; followers: number | null }>
  'searches.saved': Answer<SavedSearch>
  'listing.drafts': Answer<ListingDraft, { owner: string }>
  'shop.reviews': Answer<
    Review,
    {
      count: number | null
      more: boolean
      aggregate: ReviewAggregate | null
    }
  >
  'listing.detail': Answer<
    ListingDocument,
    { problem: string | null; isOwner: boolean; conversation: string | null }
  >
  'shop.detail': Answer<ShopDocument, { problem: string | null; isMe: boolean }>
  'shop.listings': ListingList
  'conversations.list': Answer<ConversationRow, { unread: number }>
  /** The listing's `category`, when it is cached. */
  'conversation.detail': Answer<
    ConversationDocument,
    { typing: string | null; category: string | null }
  >
  /** Rows older than `gapBefore` are missing locally and can be loaded. */
  'messages.thread': Answer<MessageDocument, { gapBefore: string | null; peerReadUntil: number }>
  'notifications.latest': Answer<NotificationDocument, { unread: number }>
  'account.me': Answer<AccountDocument, { unreadMessages: number; unreadNotifications: number }>
  'account.preferences': Answer<never, { preferences: Preferences | null }>
  'account.blocked': Answer<SellerMini>
  'draft.text': Answer<never, { content: string }>
  'catalogue.specs': Answer<CatalogueDocument>
  'catalogue.places': Answer<CatalogueDocument>
  /** Raw rows that this version cannot read. */
  'outbox.entries': Answer<
    Entry,
    EntryCounts & { unread: readonly Readonly<{ id: string; row: unknown }>[] }
  >
  'network.state': Answer<never, NetworkFacts>
}
export type Row<N extends QuestionName> = Answers[N]['row']
export type Facts<N extends QuestionName> = Answers[N]['facts']

/** stale: data of `since`, being refetched · offline: data of `since`, cannot be refetched now. */
export type Status = 'loading' | 'ready' | 'stale' | 'offline'

/** All ids, and the rows that changed since the last frame. */
export type Frame<N extends QuestionName = QuestionName> = Readonly<{
  ids: readonly string[]
  rows: readonly Row<N>[]
  facts: Facts<N>
  status: Status
  /** The last confirmation by the server, in ms. */
  since: number | null
  /** The question's: the page may ask for more before this answer arrives. */
  limit: number | null
}>
