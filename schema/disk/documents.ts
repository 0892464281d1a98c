import type { Category, Places, SpecsMetadata } from '../wire/catalogue.ts'
import type { Conversation } from '../wire/conversation.ts'
import type { InferOutput } from 'valibot'
import type { ListingCard, listingMore, ListingSeller, Specs } from '../wire/listing.ts'
import type { Message } from '../wire/message.ts'
import type { Notification } from '../wire/notification.ts'
import type { User } from '../wire/account.ts'
import type { Image } from '../wire/shapes.ts'
import type { Shop } from '../wire/shop.ts'

/**
 * Documents use the API's field names; local fields are camelCase. An indexed field must never be
 * null: RxDB would leave the row out of the index.
 */

export interface ListingMore extends InferOutput<typeof listingMore> {
  readonly specs: Specs
  readonly images: readonly Image[]
  readonly seller: ListingSeller
}

/** The public view of a listing, without account-specific fields: all accounts share it. */
export interface ListingDocument extends Omit<
  ListingCard,
  'is_favorite' | 'is_owner' | 'images' | 'category' | 'currency'
> {
  /** The slug; an unknown one is shown as it is. */
  readonly category: string
  readonly seller_id: string
  readonly cover: Image | null
  readonly more: ListingMore | null
  /** Publication time in ms, negated: ascending order is newest first. */
  readonly newest: number
  /** ms; 0: never opened on this device. */
  readonly openedAt: number
  readonly storedAt: number
}

/**
 * The owner's view, in any status: rows of `listings.mine` and the detail of a non-public listing.
 * A listing created on the device has its client id as `id` until the server creates it.
 */
export interface OwnListingDocument extends ListingDocument {
  readonly contacts_total: number
  readonly unread_messages: number
  readonly favorites_total: number
  readonly client_id: string | null
  /**
   * The highest version seen; `more` may belong to an older one. 0: the server sends no version.
   */
  readonly version: number
  readonly expires_at: string | null
  readonly review_reason: string | null
  /** Creation time in ms, negated. A listing that was never published has no other time. */
  readonly newestMade: number
}

/** Ids and paging state of a list that the server orders, and the state of every other need. */
export interface ListDocument {
  readonly id: string
  readonly ids: readonly string[]
  readonly count: number | null
  /** null: the last page was loaded. */
  readonly next: string | null
  readonly cursor: string | null
  readonly etag: string | null
  /** ms; 0: never answered. */
  readonly at: number
  /** Error code, such as `listing_not_found`. */
  readonly problem: string | null
  /** Facets, aggregates and the like. */
  readonly facts: unknown
}

export const emptyList = (id: string): ListDocument => ({
  id,
  ids: [],
  count: null,
  next: null,
  cursor: null,
  etag: null,
  at: 0,
  problem: null,
  facts: null,
})

export interface ConversationDocument extends Omit<Conversation, 'last_message'> {
  readonly last_message: Message | null
  /** Time of the last activity in ms, negated. */
  readonly newest: number
  /**
   * A conversation started offline has the id `new-LISTING`. This is the server's id once it
   * exists.
   */
  readonly movedTo: string | null
}

export type MessageState = 'queued' | 'sending' | 'sent' | 'read' | 'refused'

export interface MessageDocument extends Omit<Message, 'id' | 'reply_to_id'> {
  /** Absent in rows of earlier releases. */
  readonly reply_to_id?: string | null
  /**
   * The client id of own messages, else the server's id: an echo from the server then replaces its
   * original.
   */
  readonly id: string
  /** The server's id; empty until the server has the message. */
  readonly serverId: string
  /** `seq`, or 1e12 plus the outbox position for a pending message: pending ones sort last. */
  readonly order: number
  /** `order`, negated: ascending order is newest first. */
  readonly newest: number
  /** Id of the locally stored photo, while an own message is pending. */
  readonly photo?: string
  /** `read` is derived from the peer's read position. */
  readonly state: Exclude<MessageState, 'read'>
}

export interface NotificationDocument extends Omit<Notification, 'id'> {
  /** The server's id, or the event id where there is none. */
  readonly id: string
  readonly newest: number
}

/** A saved listing. For visitors it exists only on the device [S2.13]. */
export interface SavedDocument {
  readonly id: string
  readonly newest: number
  readonly saved: boolean
}

export interface ShopDocument extends Omit<Shop, 'is_following' | 'is_me' | 'is_blocked'> {
  readonly storedAt: number
}

export type CatalogueDocument =
  | { readonly id: 'categories'; readonly categories: readonly Category[] }
  | { readonly id: 'specs'; readonly specs: readonly SpecsMetadata[] }
  | { readonly id: 'places'; readonly places: Places }

/** The signed-in user: one document with the id `me`. */
export interface AccountDocument {
  readonly id: 'me'
  readonly user: User
}

export interface Documents {
  listings: ListingDocument
  lists: ListDocument
  shops: ShopDocument
  catalogue: CatalogueDocument
  ownLists: ListDocument
  ownListings: OwnListingDocument
  conversations: ConversationDocument
  messages: MessageDocument
  notifications: NotificationDocument
  saved: SavedDocument
  account: AccountDocument
}
export type CollectionName = keyof Documents

export interface CollectionShape {
  readonly scope: 'shared' | 'personal'
  /** Beside the primary key `id`. */
  readonly indexes: readonly (readonly string[])[]
  /** Maximum length of each indexed text; the other indexed fields are integers within ±1e15. */
  readonly texts?: Readonly<Record<string, number>>
  /**
   * Rows with the lowest `by` are deleted when storage is full, or when there are more than `most`
   * rows. `by` is an indexed field.
   */
  readonly eviction?: { readonly by: string; readonly most: number }
}

export const collections: Readonly<Record<CollectionName, CollectionShape>> = {
  listings: {
    scope: 'shared',
    indexes: [
      ['newest'],
      ['category', 'newest'],
      ['seller_id', 'newest'],
      ['openedAt'],
      ['storedAt'],
    ],
    texts: { category: 40, seller_id: 64 },
    eviction: { by: 'storedAt', most: 8000 },
  },
  lists: {
    scope: 'shared',
    indexes: [['at']],
    eviction: { by: 'at', most: 1000 },
  },
  shops: { scope: 'shared', indexes: [] },
  catalogue: { scope: 'shared', indexes: [] },
  ownLists: {
    scope: 'personal',
    indexes: [['at']],
    eviction: { by: 'at', most: 1000 },
  },
  ownListings: { scope: 'personal', indexes: [['newestMade']] },
  conversations: { scope: 'personal', indexes: [['newest']] },
  messages: {
    scope: 'personal',
    indexes: [
      ['conversation', 'newest'],
      ['conversation', 'order'],
    ],
    texts: { conversation: 80 },
  },
  notifications: { scope: 'personal', indexes: [['newest']] },
  saved: { scope: 'personal', indexes: [['newest']] },
  account: { scope: 'personal', indexes: [] },
}
