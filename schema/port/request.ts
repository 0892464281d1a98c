import * as v from 'valibot'
import { draftPhoto } from '../disk/draft.ts'
import type { EntryCounts } from '../disk/entry.ts'
import { language, localId as id, uuid } from '../wire/shapes.ts'
import { draftKey, type NetworkFacts } from './question.ts'
import type { Traffic } from './service.ts'

/** Completed now or failed; never queued. */
export const requests = {
  /** `id` is the idempotency key: repeated after a lost answer, it signs in. */
  'account.register': v.object({
    id: uuid,
    username: v.string(),
    email: v.string(),
    password: v.string(),
  }),
  'account.login': v.object({ username: v.string(), password: v.string() }),
  'account.logout': v.object({}),
  /** An e-mail address or a username, as typed [API 7.6]. */
  'account.forgot': v.object({ name: v.string() }),
  'account.reset': v.object({ uid: v.string(), token: v.string(), password: v.string() }),
  'account.verify': v.object({ uid: v.string(), token: v.string() }),
  'account.requestVerification': v.object({}),
  'account.password': v.object({ current: v.string(), next: v.string() }),
  /** `password`: the current one [API 7.4]. */
  'account.email': v.object({ email: v.string(), password: v.string() }),
  /** A Blob, or null to remove the picture [API 7.4]. */
  'account.avatar': v.object({ photo: v.unknown() }),
  'account.export': v.object({}),
  'account.delete': v.object({ password: v.string() }),
  /** Records the contact and returns the number [S7.21]. */
  'listing.phone': v.object({ listing: id, channel: v.picklist(['phone', 'whatsapp']) }),
  /** Rows of a server-rendered page, read at `at` (ms), for when the server does not answer now. */
  'listings.given': v.object({ rows: v.array(v.record(v.string(), v.unknown())), at: v.number() }),
  /** Its new listings are seen [D79]. */
  'search.opened': v.object({ id }),
  'conversation.typing': v.object({ conversation: id, active: v.boolean() }),
  /** An empty text deletes it. */
  'draft.keep': v.object({ key: draftKey, content: v.pipe(v.string(), v.maxLength(20_000)) }),
  /**
   * On disk when it answers [S2.38]. `listing`: the own listing being edited; `photos` has its
   * photos by the server's ids.
   */
  'draft.keepListing': v.object({
    id: uuid,
    /** Who began the form, if the screen knows: another one may be signed in by now. */
    owner: v.optional(v.string()),
    fields: v.record(v.string(), v.unknown()),
    photos: v.array(id),
    listing: v.nullable(id),
  }),
  'draft.removeListing': v.object({ id: uuid }),
  'draft.keepPhoto': v.object({
    ...draftPhoto.entries,
    draft: uuid,
    owner: v.optional(v.string()),
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
  /** Refetches what a question needs, whatever its age. */
  'data.refresh': v.object({ name: v.string(), params: v.unknown() }),
  /** Never the outbox [S2.48]. */
  'data.clear': v.object({}),
  'page.state': v.object({
    visible: v.boolean(),
    /** `navigator.onLine`: only a hint. */
    online: v.boolean(),
    saveData: v.boolean(),
    wifi: v.nullable(v.boolean()),
    language,
    /** In front, and refetching by itself: nothing else polls [S4.11]. */
    messages: v.optional(v.boolean()),
  }),
  'page.fetched': v.object({ sent: v.number(), received: v.number() }),
  /** There is new data that this tab may not have. */
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
export type Stats = Pick<NetworkFacts, 'leader' | 'socket'> &
  Readonly<{
    counts: Readonly<Record<string, number>>
    outbox: EntryCounts
    bytes: Traffic
    month: Traffic
    storage: { readonly usage: number; readonly quota: number }
    versions: Readonly<Record<string, string>>
  }>

export interface SignedIn {
  readonly token: string
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
export type RequestAnswers = {
  readonly [N in RequestName]: N extends keyof Answered ? Answered[N] : null
}
