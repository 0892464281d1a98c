import * as v from 'valibot'
import type { EntryCounts } from '../disk/entry.ts'
import type { User } from '../wire/account.ts'
import { language } from '../wire/shapes.ts'
import { draftKey, type NetworkFacts } from './question.ts'
import type { Traffic } from './service.ts'

const uuid = v.pipe(v.string(), v.uuid())
const id = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{1,80}$/))

/** Operations that are completed now or fail; they are not queued. */
export const requests = {
  /** `id` is the idempotency key: a registration repeated after a lost answer signs in. */
  'account.register': v.object({
    id: uuid,
    username: v.string(),
    email: v.string(),
    password: v.string(),
  }),
  'account.login': v.object({ username: v.string(), password: v.string() }),
  'account.logout': v.object({}),
  /** `name`: an e-mail address or a username, as typed [API 7.6]. */
  'account.forgot': v.object({ name: v.string() }),
  'account.reset': v.object({ uid: v.string(), token: v.string(), password: v.string() }),
  'account.verify': v.object({ uid: v.string(), token: v.string() }),
  'account.requestVerification': v.object({}),
  'account.password': v.object({ current: v.string(), next: v.string() }),
  /** A new address, with the current password [API 7.4]. */
  'account.email': v.object({ email: v.string(), password: v.string() }),
  /** `photo`: a Blob, or null to remove the picture [API 7.4]. schema/ has no DOM types. */
  'account.avatar': v.object({ photo: v.unknown() }),
  'account.export': v.object({}),
  'account.delete': v.object({ password: v.string() }),
  /** Records the contact and returns the number [S7.21]. */
  'listing.phone': v.object({ listing: id, channel: v.picklist(['phone', 'whatsapp']) }),
  /**
   * Rows embedded in a server-rendered page, for when the server does not answer now; read at `at`
   * (ms).
   */
  'listings.given': v.object({ rows: v.array(v.record(v.string(), v.unknown())), at: v.number() }),
  /** The new listings of a saved search are seen [D79]. */
  'search.opened': v.object({ id }),
  'conversation.typing': v.object({ conversation: id, active: v.boolean() }),
  /** Saves a draft text for its author; an empty text deletes it. */
  'draft.keep': v.object({ key: draftKey, content: v.pipe(v.string(), v.maxLength(20_000)) }),
  /**
   * Saves a listing draft [S2.38]; strictly on disk when it answers. `listing`: the own listing
   * being edited; its photos are in `photos` by the server's ids.
   */
  'draft.keepListing': v.object({
    id: uuid,
    /** Whoever began the form, if the screen knows; another one may be signed in by now. */
    owner: v.optional(v.string()),
    fields: v.record(v.string(), v.unknown()),
    photos: v.array(id),
    listing: v.nullable(id),
  }),
  'draft.removeListing': v.object({ id: uuid }),
  'draft.keepPhoto': v.object({
    id: uuid,
    draft: uuid,
    owner: v.optional(v.string()),
    file: v.unknown(),
    bytes: v.number(),
    width: v.number(),
    height: v.number(),
  }),
  'draft.photo': v.object({ id: uuid }),
  'draft.removePhoto': v.object({ id: uuid }),
  'outbox.wifi': v.object({ id, wifiOnly: v.boolean() }),
  'push.config': v.object({}),
  'push.subscribe': v.object({
    endpoint: v.string(),
    p256dh: v.string(),
    auth: v.string(),
    lang: language,
  }),
  'push.unsubscribe': v.object({ endpoint: v.string() }),
  'push.test': v.object({ endpoint: v.nullable(v.string()) }),
  'outbox.retry': v.object({ id: v.nullable(id) }),
  'outbox.edit': v.object({ id, content: v.string() }),
  'outbox.remove': v.object({ id }),
  /** Refetches what a question needs, whatever its age (Réessayer, pull to refresh). */
  'data.refresh': v.object({ name: v.string(), params: v.unknown() }),
  /** Deletes the cache, never the outbox [S2.48]. */
  'data.clear': v.object({}),
  'page.state': v.object({
    visible: v.boolean(),
    /** `navigator.onLine`: only a hint. */
    online: v.boolean(),
    saveData: v.boolean(),
    wifi: v.nullable(v.boolean()),
    language,
    /** The messages screen is in front. It refetches by itself, so nothing else polls [S4.11]. */
    messages: v.optional(v.boolean()),
  }),
  /** Network traffic of the page or service worker, mostly photos, in bytes with headers. */
  'page.fetched': v.object({ sent: v.number(), received: v.number() }),
  /** The service worker showed a push: there is new data that this tab may not have. */
  'push.received': v.object({}),
  stats: v.object({}),
} as const

export type RequestName = keyof typeof requests
export type RequestParams<N extends RequestName> = v.InferOutput<(typeof requests)[N]>
export interface Request<N extends RequestName = RequestName> {
  readonly name: N
  readonly params: RequestParams<N>
}

/** [SURFACE 3] */
export interface Stats extends Pick<NetworkFacts, 'leader' | 'socket'> {
  readonly counts: Readonly<Record<string, number>>
  readonly outbox: EntryCounts
  readonly bytes: Traffic
  readonly month: Traffic
  readonly storage: { readonly usage: number; readonly quota: number }
  readonly versions: Readonly<Record<string, string>>
}

export interface SignedIn {
  readonly token: string
  readonly user: User
}

interface Answered {
  'account.register': SignedIn
  'account.login': SignedIn
  'account.forgot': { readonly cooldown_seconds: number }
  'account.verify': { readonly status: 'verified' | 'already_verified' }
  'account.requestVerification': {
    readonly status: 'sent' | 'already_verified'
    readonly cooldown_seconds: number
  }
  'account.export': unknown
  'listing.phone': { readonly phone: string | null }
  /** A Blob; null: not on this device. */
  'draft.photo': { readonly file: unknown }
  'push.config': { readonly vapid_public_key: string }
  stats: Stats
}
/** The answers of the requests; null where done is all there is to say. */
export type RequestAnswers = {
  readonly [N in RequestName]: N extends keyof Answered ? Answered[N] : null
}
