import type { Places, SpecsMetadata } from '../wire/catalogue.ts'
import type { Conversation } from '../wire/conversation.ts'
import type { InferOutput } from 'valibot'
import type { ListingCard, listingMore, ListingSeller, Specs } from '../wire/listing.ts'
import type { Message } from '../wire/message.ts'
import type { Notification } from '../wire/notification.ts'
import type { User } from '../wire/account.ts'
import type { Image } from '../wire/shapes.ts'
import type { Shop } from '../wire/shop.ts'

/**
 * Local fields are camelCase. An indexed field is never null: RxDB would leave the row out of the
 * index.
 */

export type ListingMore = InferOutput<typeof listingMore> &
  Readonly<{
    specs: Specs
    images: readonly Image[]
    seller: ListingSeller
  }>

/** Without account-specific fields: all accounts share it. */
export type ListingDocument = Omit<
  ListingCard,
  'is_favorite' | 'is_owner' | 'images' | 'category' | 'currency'
> &
  Readonly<{
    /** The slug, known or not. */
    category: string
    seller_id: string
    cover: Image | null
    more: ListingMore | null
    /** Publication time in ms, negated: newest first. */
    newest: number
    storedAt: number
  }>

/**
 * In any status. A listing created on the device has its client id as `id` until the server creates
 * it.
 */
export type OwnListingDocument = ListingDocument &
  Readonly<{
    contacts_total: number
    favorites_total: number
    client_id: string | null
    /** The highest seen; `more` may be older. 0: the server sends no version. */
    version: number
    expires_at: string | null
    review_reason: string | null
    /** Creation time in ms, negated: the only time of a listing that was never published. */
    newestMade: number
  }>

/** A list in the server's order, and the state of every other need. */
export type ListDocument = Readonly<{
  id: string
  ids: readonly string[]
  count: number | null
  /** null: the last page was loaded. */
  next: string | null
  cursor: string | null
  etag: string | null
  /** ms; 0: never answered. */
  at: number
  problem: string | null
  facts: unknown
}>

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

export type ConversationDocument = Omit<Conversation, 'last_message'> &
  Readonly<{
    last_message: Message | null
    /** Last activity in ms, negated. */
    newest: number
    /** The server's id of a conversation started offline (`new-LISTING`), once it exists. */
    movedTo: string | null
  }>

export type MessageState = 'queued' | 'sending' | 'sent' | 'read' | 'refused'

export type MessageDocument = Omit<Message, 'id' | 'reply_to_id'> &
  Readonly<{
    /** Absent in rows of earlier releases. */
    reply_to_id?: string | null
    /** The client id of own messages, which the server's echo replaces; else the server's id. */
    id: string
    serverId: string
    /** `seq`; of a pending message 1e12 plus its outbox position, to sort last. */
    order: number
    newest: number
    /** Of the locally stored photo, while the message is pending. */
    photo?: string
    /** `read` follows from the peer's read position. */
    state: Exclude<MessageState, 'read'>
  }>

export interface NotificationDocument extends Omit<Notification, 'id'> {
  /** The server's id, or the event id where there is none. */
  readonly id: string
  readonly newest: number
}

/** For visitors only on the device [S2.13]. */
export type SavedDocument = Readonly<{
  id: string
  newest: number
  saved: boolean
}>

export type ShopDocument = Omit<Shop, 'is_following' | 'is_me' | 'is_blocked'>

export type CatalogueDocument = Readonly<
  { id: 'specs'; specs: readonly SpecsMetadata[] } | { id: 'places'; places: Places }
>

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

export type CollectionShape = Readonly<{
  scope: 'shared' | 'personal'
  /** Beside the primary key `id`. */
  indexes: readonly (readonly string[])[]
  /** Maximum length of each indexed text; other indexed fields are integers within ±1e15. */
  texts?: Readonly<Record<string, number>>
  /**
   * Rows with the lowest `by` (indexed) are deleted when storage is full, or beyond `most` rows.
   */
  eviction?: Readonly<{ by: string; most: number }>
}>

const lists = { indexes: [['at']], eviction: { by: 'at', most: 1000 } }
export const collections: Readonly<Record<CollectionName, CollectionShape>> = {
  listings: {
    scope: 'shared',
    indexes: [['newest'], ['storedAt']],
    eviction: { by: 'storedAt', most: 8000 },
  },
  lists: { scope: 'shared', ...lists },
  shops: { scope: 'shared', indexes: [] },
  catalogue: { scope: 'shared', indexes: [] },
  ownLists: { scope: 'personal', ...lists },
  ownListings: { scope: 'personal', indexes: [['newestMade']] },
  conversations: { scope: 'personal', indexes: [['newest']] },
  messages: {
    scope: 'personal',
    indexes: [['conversation', 'newest']],
    texts: { conversation: 80 },
  },
  notifications: { scope: 'personal', indexes: [['newest']] },
  saved: { scope: 'personal', indexes: [['newest']] },
  account: { scope: 'personal', indexes: [] },
}
