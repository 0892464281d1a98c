import * as v from 'valibot'
import type { User } from '../wire/account.ts'
import { language } from '../wire/shapes.ts'

const id = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{1,80}$/))

/** What only the server, or the engine itself, can settle now. */
export const requests = {
  'account.register': v.object({ username: v.string(), email: v.string(), password: v.string() }),
  'account.login': v.object({ username: v.string(), password: v.string() }),
  'account.logout': v.object({}),
  /** Records the contact and gives the number (S7.21). */
  'listing.phone': v.object({ listing: id, channel: v.picklist(['phone', 'whatsapp']) }),
  'conversation.typing': v.object({ conversation: id, active: v.boolean() }),
  'outbox.retry': v.object({ id: v.nullable(id) }),
  'outbox.edit': v.object({ id, content: v.string() }),
  'outbox.remove': v.object({ id }),
  /** Asks a live question's needs again now, whatever their age (Réessayer, pull to refresh). */
  'data.refresh': v.object({ name: v.string(), params: v.unknown() }),
  /** Throws away the cache, never the outbox (S2.48). */
  'data.clear': v.object({}),
  'page.state': v.object({
    visible: v.boolean(),
    /** The browser's word, a hint only. */
    online: v.boolean(),
    saveData: v.boolean(),
    wifi: v.nullable(v.boolean()),
    language,
  }),
  stats: v.object({}),
} as const

export type RequestName = keyof typeof requests
export type RequestParams<N extends RequestName> = v.InferOutput<(typeof requests)[N]>
export interface Request<N extends RequestName = RequestName> {
  readonly name: N
  readonly params: RequestParams<N>
}

/** SURFACE.md, "Numbers the app gives about itself". */
export interface Stats {
  readonly counts: Readonly<Record<string, number>>
  readonly outbox: { readonly waiting: number; readonly sending: number; readonly refused: number; readonly signedOut: number }
  readonly bytes: { readonly sent: number; readonly received: number }
  readonly storage: { readonly usage: number; readonly quota: number }
  readonly leader: boolean
  readonly socket: 'open' | 'connecting' | 'closed'
  readonly versions: Readonly<Record<string, string>>
}

export interface SignedIn {
  readonly token: string
  readonly user: User
}

/** What each request is answered with when it is done. */
export interface RequestAnswers {
  'account.register': SignedIn
  'account.login': SignedIn
  'account.logout': null
  'listing.phone': { readonly phone: string | null }
  'conversation.typing': null
  'outbox.retry': null
  'outbox.edit': null
  'outbox.remove': null
  'data.refresh': null
  'data.clear': null
  'page.state': null
  stats: Stats
}
