import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type ColumnType,
  type DatabaseConnection,
  type Generated,
  type Selectable,
} from 'kysely'
import type { Specs } from '#schema/wire/listing'

export interface Tables {
  idempotency: {
    scope: string
    key: string
    fingerprint: Buffer
    status: number
    body: string | null
    location: string | null
    created_at: Date
  }
  job: {
    id: string
    kind: string
    payload: unknown
    priority: Generated<number>
    run_at: Date
    attempts: Generated<number>
    /** The service behind it was down at the last try. */
    outage: Generated<boolean>
    locked_until: Date | null
    last_error: string | null
    created_at: Date
  }
  setting: { name: string; value: string }

  app_user: {
    id: string
    username: string
    username_key: string
    email: string | null
    email_verified_at: Date | null
    password_hash: string | null
    phone: string | null
    avatar: string | null
    shop_name: string | null
    slug: string | null
    bio: Generated<string>
    language: 'fr' | 'en'
    verified_seller: Generated<boolean>
    is_moderator: Generated<boolean>
    followers_count: Generated<number>
    following_count: Generated<number>
    items_sold: Generated<number>
    rating_count: Generated<number>
    rating_sum: Generated<number>
    typical_response_hours: number | null
    joined_at: Date
    updated_at: Date
    suspended_at: Date | null
    suspended_reason: string | null
    deleted_at: Date | null
  }
  user_slug: { slug: string; user_id: string }
  session: {
    id: string
    token_hash: Buffer
    user_id: string
    user_agent: string
    created_at: Date
    last_used_at: Date
  }
  one_time_token: {
    token_hash: Buffer
    user_id: string
    purpose: 'verify' | 'reset'
    email: string
    created_at: Date
    expires_at: Date
    used_at: Date | null
    ended_at: Date | null
  }

  block: { blocker_id: string; blocked_id: string; created_at: Date }

  follow: {
    follower_id: string
    seller_id: string
    created_at: Date
    ended_at: Date | null
    told_at: Date | null
  }

  listing: {
    id: string
    /** Orders listings of one change, and those that are yet to be counted. */
    num: Generated<number>
    seller_id: string
    category: string
    region: string
    town: string | null
    neighbourhood: string | null
    location_note: string | null
    latitude: number
    longitude: number
    title: string
    description: string
    price: number | null
    negotiable: Generated<boolean>
    condition: string | null
    /** Written as JSON text. */
    specs: ColumnType<Specs, string, string>
    contact_phone: string | null
    cover_id: string | null
    images_count: Generated<number>
    review_status: Generated<'pending' | 'approved' | 'rejected'>
    review_reason: string | null
    is_active: Generated<boolean>
    is_sold: Generated<boolean>
    is_reserved: Generated<boolean>
    is_archived: Generated<boolean>
    is_featured: Generated<boolean>
    featured_by_moderator: Generated<boolean>
    lapsed: Generated<boolean>
    seller_hidden: Generated<boolean>
    seller_verified: Generated<boolean>
    featured_until: Date | null
    expires_at: Date | null
    expiry_told_at: Date | null
    posted_at: Date | null
    sold_at: Date | null
    deleted_at: Date | null
    created_at: Date
    updated_at: Date
    version: Generated<number>
    client_id: string | null
    client_fingerprint: Buffer | null
    /** A tsvector literal from `searchVector`. */
    search: string
    labels: Generated<string[]>
    listed: Generated<boolean>
    readable: Generated<boolean>
  }
  listing_change: {
    listing_id: string
    num: number
    seller_id: string
    change: number
    public_change: number | null
    public_at: Date | null
  }
  listing_count: { facet: string; pair: string; value: string; n: number }
  listing_count_change: { facet: string; pair: string; value: string; n: number }
  listing_count_fill: { done: number; last: number }
  listing_tally: {
    listing_id: string
    views_total: Generated<number>
    views_today: Generated<number>
    views_day: string | null
    contacts_total: Generated<number>
    favorites_count: Generated<number>
  }
  listing_history: {
    listing_id: string
    version: number
    at: Date
    actor: 'owner' | 'moderator' | 'server'
    action: string
    fields: Generated<string[]>
    reason: string | null
  }
  picture: {
    id: string
    owner_id: string
    hash: string
    width: number
    height: number
    formats: Generated<string[]>
    avif_widths: Generated<number[]>
    thumbhash: string | null
    color: string | null
    bytes: number
    client_id: string | null
    client_fingerprint: Buffer | null
    listing_id: string | null
    message_id: string | null
    position: number | null
    created_at: Date
    expires_at: Date | null
    removed_at: Date | null
    /** null: AVIF variants are still pending. */
    settled_at: Date | null
  }
  listing_view: { listing_id: string; viewer: string; day: string; at: Date }
  listing_contact: {
    listing_id: string
    viewer: string
    channel: 'phone' | 'whatsapp' | 'message'
    day: string
    at: Date
    visitor: boolean
    notified: Generated<boolean>
  }
  search_signal: {
    viewer: string
    day: string
    /** Empty: any. */
    category: Generated<string>
    region: Generated<string>
    price_min: number | null
    price_max: number | null
    at: Date
  }

  favorite: {
    user_id: string
    listing_id: string
    created_at: Date
    /** Rows remain after removal, for delta reads [API 3]. */
    removed_at: Date | null
    /** In the user's event_sequence. */
    change: number
    changed_at: Date
  }

  saved_search: {
    id: string
    user_id: string
    name: string
    /** Written as JSON text. */
    params: ColumnType<Record<string, string | number | boolean>, string, string>
    /** `params` in canonical form [API 10.5]. */
    params_key: string
    alerts: 'off' | 'daily' | 'instant'
    created_at: Date
    last_run_at: Date | null
    alerted_at: Date | null
    alerts_day: string | null
    alerts_count: Generated<number>
  }

  conversation: {
    id: string
    listing_id: string
    buyer_id: string
    seller_id: string
    last_seq: Generated<number>
    last_at: Generated<Date | null>
    created_at: Date
  }
  participant: {
    user_id: string
    conversation_id: string
    read_until: Generated<number>
    unread: Generated<number>
    sorted_at: Date
    change: Generated<number>
    updated_at: Date
    mailed_at: Generated<Date | null>
  }
  message: {
    id: string
    conversation_id: string
    seq: number
    sender_id: string
    content: string
    attachment: unknown
    reply_to_id: string | null
    client_id: string | null
    fingerprint: Buffer | null
    created_at: Date
  }

  review: {
    id: string
    seller_id: string
    author_id: string
    rating: number
    comment: Generated<string>
    created_at: Date
    updated_at: Date
  }

  report: {
    id: string
    category: 'spam' | 'fraud' | 'inappropriate' | 'other'
    message: Generated<string>
    listing_id: string | null
    user_id: string | null
    reporter: string
    reporter_user_id: string | null
    reporter_address: string | null
    created_at: Date
    closed_at: Date | null
    note: string | null
  }

  event_sequence: { user_id: string; last: number }
  event: {
    id: string
    user_id: string
    seq: number
    name: string
    data: unknown
    actor_id: string | null
    conversation_id: string | null
    message_seq: number | null
    notification_id: string | null
    live: boolean
    read_at: Date | null
    change: number
    changed_at: Date
    created_at: Date
  }
  live_process: { id: string; seen_at: Date }
  live_socket: {
    id: string
    process_id: string
    user_id: string
    session_id: string
    visible: Generated<boolean>
    opened_at: Date
  }

  preference: {
    user_id: string
    messages_in_app: Generated<boolean>
    messages_push: Generated<boolean>
    messages_email: Generated<boolean>
    announcements_in_app: Generated<boolean>
    announcements_push: Generated<boolean>
    announcements_email: Generated<boolean>
    system_in_app: Generated<boolean>
    system_push: Generated<boolean>
    system_email: Generated<boolean>
    quiet_enabled: Generated<boolean>
    quiet_start: Generated<string>
    quiet_end: Generated<string>
    quiet_timezone: Generated<string>
    updated_at: Date
  }

  push_subscription: {
    id: string
    user_id: string
    session_id: string
    endpoint: string
    p256dh: string
    auth: string
    user_agent: string
    lang: 'fr' | 'en'
    failures: Generated<number>
    created_at: Date
    used_at: Date
  }
  push: {
    event_id: string
    user_id: string
    run_at: Date
    events: Generated<number>
    quiet: Generated<boolean>
    created_at: Date
  }
  push_account: { user_id: string; sent_at: Generated<Date[]> }
  push_delivery: {
    event_id: string
    subscription_id: string
    user_id: string
    events: number
    summary: boolean
    run_at: Date
    attempts: Generated<number>
    locked_until: Date | null
    created_at: Date
  }

  rum: {
    id: string
    type: string
    ts: string | null
    url: string | null
    ua: string | null
    message: string | null
    filename: string | null
    lineno: number | null
    colno: number | null
    status: number | null
    duration: number | null
    method: string | null
    created_at: Date
  }

  audit: {
    id: string
    at: Date
    command: string
    target: string | null
    /** The given options, without secrets. */
    detail: unknown
    operator: string
  }

  demo_picture: {
    hash: string
    kind: string
    colour: string | null
  }
}

export type Row<T extends keyof Tables> = Selectable<Tables[T]>

/** For reads; a query that takes it also runs on a Tx. */
export type Db = Kysely<Tables>
/**
 * Part of the caller's transaction. Sends each statement at once; Kysely's own waits for the
 * previous answer.
 */
export class Tx extends Kysely<Tables> {
  readonly isInTransaction = true

  constructor(connection: () => DatabaseConnection) {
    super({
      dialect: {
        createAdapter: () => new PostgresAdapter(),
        createDriver: () => new OneConnection(connection),
        createIntrospector: (db) => new PostgresIntrospector(db),
        createQueryCompiler: () => new PostgresQueryCompiler(),
      },
    })
  }
}

class OneConnection extends DummyDriver {
  readonly #connection: () => DatabaseConnection

  constructor(connection: () => DatabaseConnection) {
    super()
    this.#connection = connection
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection()
  }
}
