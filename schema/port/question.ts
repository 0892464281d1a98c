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
import type { SellerMini } from '../wire/shapes.ts'
import type { Suggestions } from '../wire/suggestion.ts'

const upTo = (most: number) => v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(most))
const limit = upTo(LIST_ROWS_MAX)
/** From a URL, so any text: a question that the port rejects is never answered. */
const id = v.string()
/** Such as `message:CONVERSATION`. */
export const draftKey = v.pipe(v.string(), v.regex(/^[a-z]+:[A-Za-z0-9_-]{1,80}$/))
/** By the names of [API 8.2], with values as in a URL. */
const filters = v.record(v.string(), v.string())
export type Filters = v.InferOutput<typeof filters>

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
  'listings.suggested': v.object({ search: v.string(), category: v.nullable(v.string()) }),
  'searches.suggested': v.object({ search: v.string(), category: v.nullable(v.string()) }),
  'listings.saved': v.object({}),
  'saved.ids': v.object({}),
  /** `active`: all but archived [API 9.7]. */
  'listings.mine': v.object({ status: v.picklist(['active', 'all', 'archived']) }),
  'listing.detail': v.object({ id }),
  /** A user id. */
  'seller.follow': v.object({ id }),
  'account.following': v.object({}),
  'searches.saved': v.object({}),
  'listing.drafts': v.object({}),
  'shop.reviews': v.object({ slug: id, limit }),
  'shop.detail': v.object({ slug: id }),
  'shop.listings': v.object({ slug: id, filters, limit, from: v.optional(v.number()) }),
  'conversations.list': v.object({ search: v.string() }),
  'conversation.detail': v.object({ id }),
  /** `local`: without fetching more. */
  'messages.thread': v.object({
    conversation: id,
    limit: upTo(THREAD_ROWS_MAX),
    local: v.optional(v.boolean()),
  }),
  'notifications.latest': v.object({ limit }),
  'account.me': v.object({}),
  'account.preferences': v.object({}),
  'account.blocked': v.object({}),
  'draft.text': v.object({ key: draftKey }),
  'catalogue.categories': v.object({}),
  'catalogue.specs': v.object({}),
  'catalogue.places': v.object({}),
  'outbox.entries': v.object({}),
  'network.state': v.object({}),
} as const

export type QuestionName = keyof typeof questions
export type Params<N extends QuestionName> = v.InferOutput<(typeof questions)[N]>
export interface Question<N extends QuestionName = QuestionName> {
  readonly name: N
  readonly params: Params<N>
}

/** The first `covered` rows of the local answer equal the server's. */
export interface ListFacts {
  readonly count: number | null
  readonly coverage: 'covered' | 'partial' | 'phone'
  readonly covered: number
  /** Can be loaded, locally or from the server. */
  readonly more: boolean
  /** New rows behind a pill, so that the rows being read do not move. */
  readonly waiting: number
  readonly problem: string | null
}

export interface NetworkFacts {
  readonly network: 'online' | 'weak' | 'captive' | 'offline'
  /** ms */
  readonly since: number
  readonly socket: 'open' | 'connecting' | 'closed'
  /** In flight, with a user who waits [S2.29]. */
  readonly busy: number
  readonly waiting: number
  readonly leader: boolean
  /** The database could not be opened. */
  readonly memoryOnly: boolean
  readonly databaseProblem?: DatabaseProblem
}

type None = Readonly<Record<string, never>>

export interface ConversationRow extends ConversationDocument {
  /** Of a last message that has not reached the server. */
  readonly unsent: 'queued' | 'refused' | null
}

interface ListingList {
  row: ListingDocument
  facts: ListFacts
}
interface CatalogueAnswer {
  row: CatalogueDocument
  facts: None
}

export interface Answers {
  'listings.browse': ListingList
  'listings.facets': { row: never; facts: { facets: Facets | null; source: 'server' | 'phone' } }
  'listings.recommended': ListingList
  'listings.similar': ListingList
  'listings.related': ListingList
  'listings.suggested': { row: ListingDocument; facts: None }
  /** null: not answered yet, or the text is too short. */
  'searches.suggested': { row: never; facts: { suggestions: Suggestions | null } }
  'listings.saved': { row: ListingDocument; facts: { missing: readonly string[] } }
  'saved.ids': { row: never; facts: { ids: readonly string[] } }
  'listings.mine': {
    row: OwnListingDocument
    facts: { totals: OwnTotals | null; problem: string | null }
  }
  'seller.follow': { row: never; facts: { following: boolean; followers: number | null } }
  'account.following': { row: SellerMini; facts: None }
  'searches.saved': { row: SavedSearch; facts: None }
  'listing.drafts': { row: ListingDraft; facts: { owner: string } }
  'shop.reviews': {
    row: Review
    facts: {
      count: number | null
      more: boolean
      aggregate: ReviewAggregate | null
      problem: string | null
    }
  }
  'listing.detail': {
    row: ListingDocument
    facts: { problem: string | null; isOwner: boolean; saved: boolean; conversation: string | null }
  }
  'shop.detail': {
    row: ShopDocument
    facts: { problem: string | null; isMe: boolean; isFollowing: boolean }
  }
  'shop.listings': ListingList
  'conversations.list': { row: ConversationRow; facts: { unread: number } }
  'conversation.detail': {
    row: ConversationDocument
    /** The listing's `category`, when it is cached. */
    facts: {
      problem: string | null
      typing: string | null
      movedTo: string | null
      category: string | null
    }
  }
  'messages.thread': {
    row: MessageDocument
    /** Rows older than `gapBefore` are missing locally and can be loaded. */
    facts: { gapBefore: string | null; peerReadUntil: number }
  }
  'notifications.latest': { row: NotificationDocument; facts: { unread: number } }
  'account.me': {
    row: AccountDocument
    facts: { unreadMessages: number; unreadNotifications: number }
  }
  'account.preferences': { row: never; facts: { preferences: Preferences | null } }
  'account.blocked': { row: SellerMini; facts: None }
  'draft.text': { row: never; facts: { content: string } }
  'catalogue.categories': CatalogueAnswer
  'catalogue.specs': CatalogueAnswer
  'catalogue.places': CatalogueAnswer
  'outbox.entries': {
    row: Entry
    /** Raw rows that this version cannot read. */
    facts: EntryCounts & { unread: readonly { readonly id: string; readonly row: unknown }[] }
  }
  'network.state': { row: never; facts: NetworkFacts }
}
export type Row<N extends QuestionName> = Answers[N]['row']
export type Facts<N extends QuestionName> = Answers[N]['facts']

/** stale: data of `since`, being refetched · offline: data of `since`, cannot be refetched now. */
export type Status = 'loading' | 'ready' | 'stale' | 'offline'

/** All ids, and the rows that changed since the last frame. */
export interface Frame<N extends QuestionName = QuestionName> {
  readonly ids: readonly string[]
  readonly rows: readonly Row<N>[]
  readonly facts: Facts<N>
  readonly status: Status
  /** The last confirmation by the server, in ms. */
  readonly since: number | null
}
