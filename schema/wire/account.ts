import * as v from 'valibot'
import { call, personal } from './call.ts'
import { LOGOUT_PATH, ME_PATH } from './session.ts'
import {
  atLeast,
  atMost,
  count,
  id,
  language,
  moment,
  nullableText,
  nullishText,
  secret,
  sellerDetail,
} from './shapes.ts'
import { PASSWORD_MAX, PASSWORD_MIN } from '../limits.ts'

const counters = v.object({
  unread_messages: count,
  unread_conversations: count,
  unread_notifications: count,
})
export type Counters = v.InferOutput<typeof counters>

/** The signed-in user [API 4.3]. */
export const user = v.object({
  id,
  username: v.string(),
  email: v.string(),
  email_verified: v.boolean(),
  phone: nullableText,
  avatar: nullableText,
  shop_name: nullableText,
  slug: v.string(),
  bio: v.string(),
  ...sellerDetail,
  following_count: count,
  verified_seller: v.boolean(),
  is_moderator: v.boolean(),
  language,
  counters,
  updated_at: moment,
})
export type User = v.InferOutput<typeof user>

export const session = v.object({
  id,
  user_agent: v.string(),
  created_at: moment,
  last_used_at: moment,
  current: v.boolean(),
  push: v.boolean(),
})

const signedIn = v.object({ token: v.string(), user })

// Fields of [API 5.3].
const username = v.pipe(v.string(), v.regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{2,29}$/))
/** No characters that a mail program reads as a name, list or comment (RFC 5322, 3.2.3). */
const email = v.pipe(
  v.string(),
  v.regex(/^[^@\s<>()[\]\\,;:"]+@[^@\s<>()[\]\\,;:"]+$/),
  atMost(254, 'invalid'),
)
const newPassword = secret(PASSWORD_MIN, PASSWORD_MAX, 'password_too_short')
/** To compare, never stored: any text. */
const password = v.pipe(v.string(), v.metadata({ verbatim: true }), atLeast(1))
/** Of an e-mail link; its format is not checked. */
const proof = v.pipe(v.string(), atMost(300, 'invalid'))

export const register = call('account.register', 'POST', 'auth/register/', {
  access: 'open',
  status: 201,
  body: v.object({ username, email, password: newPassword, language: v.nullish(language) }),
  answer: signedIn,
})

/** `username` may be either name; `email` counts when it is absent [D36]. */
export const login = call('account.login', 'POST', 'auth/login/', {
  access: 'open',
  keyed: false,
  body: v.object({
    username: nullishText,
    email: nullishText,
    password: v.nullish(password),
  }),
  answer: signedIn,
})

export const logout = call('account.logout', 'POST', LOGOUT_PATH, {
  keyed: false,
  body: v.object({ endpoint: nullishText }),
})

export const me = call('account.me', 'GET', ME_PATH, {
  ...personal,
  answer: user,
})

const mailSent = v.object({
  status: v.picklist(['sent', 'already_verified']),
  detail: v.string(),
  cooldown_seconds: count,
})

/** [API 7.4] */
export const editMe = call('account.edit', 'PATCH', 'auth/me/', {
  form: 'both',
  files: { avatar: 1 },
  body: v.object({
    phone: nullishText,
    shop_name: v.nullish(v.pipe(v.string(), atLeast(2), atMost(60))),
    bio: v.nullish(v.pipe(v.string(), atMost(500))),
    language: v.optional(language),
    avatar: nullishText,
    email: v.optional(email),
    current_password: v.nullish(password),
    action: v.nullish(v.picklist(['request_email_verification'])),
    // These may be sent unchanged.
    ...v.entriesFromList(
      ['username', 'id', 'slug', 'followers_count', 'following_count', 'items_sold', 'counters'],
      v.optional(v.unknown()),
    ),
  }),
  answer: v.union([user, mailSent]),
})

export const deleteMe = call('account.delete', 'DELETE', 'auth/me/', {
  body: v.object({ current_password: password }),
})

/** [API 7.7] */
export const exportMe = call('account.export', 'GET', 'auth/me/export/', {
  ...personal,
  answer: v.object({
    exported_at: moment,
    user,
    sessions: v.array(session),
    ...v.entriesFromList(
      ['listings', 'conversations', 'favorites', 'saved_searches', 'reviews', 'reports'],
      v.array(v.unknown()),
    ),
    preferences: v.unknown(),
  }),
})

export const sessions = call('account.sessions', 'GET', 'auth/sessions/', {
  ...personal,
  answer: v.object({ results: v.array(session) }),
})
export const endSession = call('account.endSession', 'DELETE', 'auth/sessions/{id}/')
export const endSessions = call('account.endSessions', 'DELETE', 'auth/sessions/')

export const changePassword = call('account.changePassword', 'POST', 'auth/password-change/', {
  body: v.object({ current_password: password, new_password: newPassword }),
})

export const requestVerification = call(
  'account.requestVerification',
  'POST',
  'auth/email/verify-request/',
  {
    answer: mailSent,
  },
)

export const verifyEmail = call('account.verifyEmail', 'POST', 'auth/email/verify/', {
  access: 'open',
  body: v.object({ uid: v.nullish(proof), token: v.nullish(proof) }),
  answer: v.object({ status: v.picklist(['verified', 'already_verified']) }),
})

export const requestReset = call('account.requestReset', 'POST', 'auth/password-reset/', {
  access: 'open',
  keyed: false,
  body: v.object({ email: nullishText, username: nullishText }),
  answer: v.object({ detail: v.string(), cooldown_seconds: count }),
})

/** The route checks the length of `new_password`, after the token [API 7.6]. */
export const confirmReset = call('account.confirmReset', 'POST', 'auth/password-reset/confirm/', {
  access: 'open',
  body: v.object({
    uid: v.pipe(proof, atLeast(1)),
    token: v.pipe(proof, atLeast(1)),
    new_password: password,
  }),
  answer: v.object({ detail: v.string() }),
})
