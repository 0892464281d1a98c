import type { Category, Places, SpecsMetadata } from '../wire/catalogue.ts'
import type { Conversation } from '../wire/conversation.ts'
import type { ListingCard, ListingDetail, ListingSeller, Specs } from '../wire/listing.ts'
import type { Message } from '../wire/message.ts'
import type { Notification } from '../wire/notification.ts'
import type { User } from '../wire/account.ts'
import type { Image } from '../wire/shapes.ts'
import type { Shop } from '../wire/shop.ts'

/**
 * What the phone holds. Documents keep the wire's member names; keys of our own are in camelCase.
 * Every field of an index is a number or a text that is never null: a null would hide the row from the index.
 */

/** What only the detail knows; null until the listing was opened (or kept for its owner). */
export interface ListingMore extends Pick<
  ListingDetail,
  | 'description'
  | 'contact_phone'
  | 'share_url'
  | 'favorites_count'
  | 'created_at'
  | 'version'
  | 'review_reason'
  | 'expires_at'
  | 'featured_until'
  | 'sold_at'
> {
  readonly specs: Specs
  readonly images: readonly Image[]
  readonly seller: ListingSeller
}

/** A listing as everybody sees it: nothing here belongs to one account, so all accounts of the phone share it. */
export interface ListingDocument extends Omit<
  ListingCard,
  'is_favorite' | 'is_owner' | 'images' | 'category' | 'currency'
> {
  /** The category's slug; an unknown one is kept and shown as it is. */
  readonly category: string
  readonly seller_id: string
  readonly cover: Image | null
  readonly more: ListingMore | null
  /** Minus the time of publication in ms: ascending is newest first. */
  readonly newest: number
  /** When it was last opened here, in ms; 0: never. */
  readonly openedAt: number
  /** When the server last confirmed it, in ms. */
  readonly storedAt: number
}

/** A listing as its owner sees it, in whatever state; made on the phone, its id is its client id until the server has made it; the page of `listings.mine`, and the detail of one that is not public. */
export interface OwnListingDocument extends ListingDocument {
  readonly contacts_total: number
  readonly unread_messages: number
  readonly favorites_total: number
  readonly client_id: string | null
  /** The newest that was heard of; `more` may be of an older one. 0: the server counts none. */
  readonly version: number
  readonly expires_at: string | null
  readonly review_reason: string | null
  /** Minus the time of creation in ms: what was never published has no other. */
  readonly newestMade: number
}

/** How far a list that the server orders is known, and when; also the bookkeeping of needs without rows. */
export interface ListDocument {
  /** The need's key; keys of personal lists begin with the owner's id. */
  readonly id: string
  readonly ids: readonly string[]
  readonly count: number | null
  /** The address of the next page; null: the end is known. */
  readonly next: string | null
  readonly cursor: string | null
  readonly etag: string | null
  /** ms; 0: never answered. */
  readonly at: number
  /** The code of the server's refusal, such as `listing_not_found`. */
  readonly problem: string | null
  /** Anything small the answer said beside its rows (facets, aggregates). */
  readonly facts: unknown
}

export interface ConversationDocument extends Omit<Conversation, 'last_message'> {
  readonly last_message: Message | null
  /** Minus the time of the last activity in ms. */
  readonly newest: number
  /** A conversation begun on the phone has the id `new-LISTING`; once the server has made it, this is the real id. */
  readonly movedTo: string | null
}

export type MessageState = 'queued' | 'sending' | 'sent' | 'read' | 'refused'

export interface MessageDocument extends Omit<Message, 'id'> {
  /** The client id where there is one (own messages), else the server's: so an echo meets its original. */
  readonly id: string
  /** The server's id; empty while it waits. */
  readonly serverId: string
  /** `seq`, or for what waits 1e12 plus its place in the outbox: pending last. */
  readonly order: number
  /** Minus `order`: ascending is newest first. */
  readonly newest: number
  /** The photo of an own message while it waits: the phone keeps it under this id. */
  readonly photo?: string
  /** Of own messages; `read` is worked out from the peer's mark. */
  readonly state: Exclude<MessageState, 'read'>
}

export interface NotificationDocument extends Omit<Notification, 'id'> {
  /** The server's id, or the event id for those without. */
  readonly id: string
  readonly newest: number
}

/** A saved listing; signed out it exists on the phone alone [S2.13]. */
export interface SavedDocument {
  /** The listing's id. */
  readonly id: string
  readonly newest: number
  readonly saved: boolean
}

export interface ShopDocument extends Omit<Shop, 'is_following' | 'is_me' | 'is_blocked'> {
  readonly storedAt: number
}

/** Categories, specs per category and places, each as one document: `categories`, `specs`, `places`. */
export type CatalogueDocument =
  | { readonly id: 'categories'; readonly categories: readonly Category[] }
  | { readonly id: 'specs'; readonly specs: readonly SpecsMetadata[] }
  | { readonly id: 'places'; readonly places: Places }

/** The signed-in person: one document, `me`. */
export interface AccountDocument {
  readonly id: 'me'
  readonly user: User
}

/** Every collection and whose it is: shared by all accounts of the phone, or one account's own database. */
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
  /** Indexes beside the primary key `id`, each a list of fields. */
  readonly indexes: readonly (readonly string[])[]
  /** Type of every indexed field: longest text in characters, or a number (an integer within ±1e15). */
  readonly keys: Readonly<Record<string, number | 'number'>>
  /** The rows that go first when the phone is full, or when there are more than `most`: the lowest of this indexed field. */
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
    keys: { newest: 'number', category: 40, seller_id: 64, openedAt: 'number', storedAt: 'number' },
    eviction: { by: 'storedAt', most: 8000 },
  },
  lists: {
    scope: 'shared',
    indexes: [['at']],
    keys: { at: 'number' },
    eviction: { by: 'at', most: 1000 },
  },
  shops: { scope: 'shared', indexes: [], keys: {} },
  catalogue: { scope: 'shared', indexes: [], keys: {} },
  ownLists: {
    scope: 'personal',
    indexes: [['at']],
    keys: { at: 'number' },
    eviction: { by: 'at', most: 1000 },
  },
  ownListings: { scope: 'personal', indexes: [['newestMade']], keys: { newestMade: 'number' } },
  conversations: { scope: 'personal', indexes: [['newest']], keys: { newest: 'number' } },
  messages: {
    scope: 'personal',
    indexes: [
      ['conversation', 'newest'],
      ['conversation', 'order'],
    ],
    keys: { conversation: 80, newest: 'number', order: 'number' },
  },
  notifications: { scope: 'personal', indexes: [['newest']], keys: { newest: 'number' } },
  saved: { scope: 'personal', indexes: [['newest']], keys: { newest: 'number' } },
  account: { scope: 'personal', indexes: [], keys: {} },
}
