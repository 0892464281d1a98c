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
 * Documents use the API's field names; local fields are camelCase. An indexed field is never null:
 * RxDB would leave the row out of the index.
 */

export interface ListingMore extends InferOutput<typeof listingMore> {
  readonly specs: Specs
  readonly images: readonly Image[]
  readonly seller: ListingSeller
}

/** Without account-specific fields: all accounts share it. */
export interface ListingDocument extends Omit<
  ListingCard,
  'is_favorite' | 'is_owner' | 'images' | 'category' | 'currency'
> {
  /** The slug, known or not. */
  readonly category: string
  readonly seller_id: string
  readonly cover: Image | null
  readonly more: ListingMore | null
  /** Publication time in ms, negated: newest first. */
  readonly newest: number
  /** ms; 0: never opened on this device. */
  readonly openedAt: number
  readonly storedAt: number
}

/**
 * The owner's view, in any status. A listing created on the device has its client id as `id` until
 * the server creates it.
 */
export interface OwnListingDocument extends ListingDocument {
  readonly contacts_total: number
  readonly unread_messages: number
  readonly favorites_total: number
  readonly client_id: string | null
  /** The highest seen; `more` may be older. 0: the server sends no version. */
  readonly version: number
  readonly expires_at: string | null
  readonly review_reason: string | null
  /** Creation time in ms, negated: the only time of a listing that was never published. */
  readonly newestMade: number
}

/** A list in the server's order, and the state of every other need. */
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
  /** Last activity in ms, negated. */
  readonly newest: number
  /** The server's id of a conversation started offline (`new-LISTING`), once it exists. */
  readonly movedTo: string | null
}

export type MessageState = 'queued' | 'sending' | 'sent' | 'read' | 'refused'

export interface MessageDocument extends Omit<Message, 'id' | 'reply_to_id'> {
  /** Absent in rows of earlier releases. */
  readonly reply_to_id?: string | null
  /**
   * The client id of own messages, so that the server's echo replaces them; else the server's id.
   */
  readonly id: string
  /** Empty until the server has the message. */
  readonly serverId: string
  /** `seq`; of a pending message 1e12 plus its outbox position, to sort last. */
  readonly order: number
  /** `order`, negated: newest first. */
  readonly newest: number
  /** Of the locally stored photo, while the message is pending. */
  readonly photo?: string
  /** `read` follows from the peer's read position. */
  readonly state: Exclude<MessageState, 'read'>
}

export interface NotificationDocument extends Omit<Notification, 'id'> {
  /** The server's id, or the event id where there is none. */
  readonly id: string
  readonly newest: number
}

/** For visitors only on the device [S2.13]. */
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
  /** Maximum length of each indexed text; other indexed fields are integers within ±1e15. */
  readonly texts?: Readonly<Record<string, number>>
  /**
   * Rows with the lowest `by` (an indexed field) are deleted when storage is full, or beyond `most`
   * rows.
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
