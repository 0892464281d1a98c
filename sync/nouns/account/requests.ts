import type { Outcome } from '#schema/port/outcome'
import type { SignedIn } from '#schema/port/request'
import {
  confirmReset,
  editMe,
  login,
  me,
  register,
  requestReset,
  requestVerification,
  type User,
  verifyEmail,
} from '#schema/wire/account'
import { readPushConfig, subscribePush, testPush, unsubscribePush } from '#schema/wire/push'
import type { CallResult, RequestRules, Tools } from '../../noun.ts'
import { amount, members, text } from '../tolerant.ts'
import { readAccount } from './read.ts'

export const accountRequests: RequestRules = {
  'account.register': async ({ id, username, email, password }, tools) => {
    const { http, currentUser } = tools
    const made = settled(
      await http.call(
        register,
        {
          body: { username, email, password, language: currentUser().language },
          token: null,
          key: id,
        },
        entryOf,
      ),
    )
    if (made.kind !== 'done') return made
    if (made.answer.token !== '') return whole(tools, made.answer)
    // A simpler server creates the account without signing in [API 19]. If signing in is then
    // refused, a portal answered the registration.
    const entered = await signIn(tools, username, password)
    return entered.kind === 'refused'
      ? { kind: 'later', why: 'captive', retryAfterMs: null, reached: false }
      : entered
  },
  'account.login': ({ username, password }, tools) => signIn(tools, username, password),
  'account.forgot': async ({ name }, { http }) =>
    settled(
      await http.call(
        requestReset,
        { body: name.includes('@') ? { email: name } : { username: name } },
        (body) => ({ cooldown_seconds: amount(members(body)['cooldown_seconds']) ?? 60 }),
      ),
    ),
  'account.reset': async ({ uid, token, password }, { http }) =>
    nothing(
      await http.call(confirmReset, { body: { uid, token, new_password: password } }, nothingIn),
    ),
  'account.verify': async ({ uid, token }, { http }) =>
    settled(
      await http.call(verifyEmail, { body: { uid, token } }, (body) => ({
        status:
          members(body)['status'] === 'already_verified'
            ? ('already_verified' as const)
            : ('verified' as const),
      })),
    ),
  'account.requestVerification': async (_none, { http }) => {
    const asked = settled(await http.call(requestVerification, {}, mailOf))
    // A server without this endpoint takes the request as an edit [S7.14].
    if (asked.kind !== 'refused' || ![404, 405].includes(asked.status)) return asked
    return settled(
      await http.call(editMe, { body: { action: 'request_email_verification' } }, mailOf),
    )
  },
  'push.config': async (_none, { http }) => settled(await http.call(readPushConfig, {})),
  'push.subscribe': async ({ endpoint, p256dh, auth, lang }, { http }) =>
    nothing(await http.call(subscribePush, { body: { endpoint, p256dh, auth, lang } }, nothingIn)),
  'push.unsubscribe': async ({ endpoint }, { http }) =>
    nothing(
      await http.call(unsubscribePush, { query: { endpoint }, body: { endpoint } }, nothingIn),
    ),
  'push.test': async ({ endpoint }, { http }) =>
    nothing(await http.call(testPush, { body: { endpoint } }, nothingIn)),
}

async function signIn(
  tools: Tools,
  username: string,
  password: string,
): Promise<Outcome<SignedIn>> {
  // Sent without a token: a simpler server answers 401 to a failed login [API 19], which must not
  // end a session.
  const said = settled(
    await tools.http.call(login, { body: { username, password }, token: null }, tokenIn),
  )
  return said.kind === 'done' ? whole(tools, said.answer) : said
}

interface Entry {
  /** Empty: registered, but not signed in. */
  readonly token: string
  readonly user: User | null
}

async function whole(
  { http, rememberSession }: Tools,
  { token, user }: Entry,
): Promise<Outcome<SignedIn>> {
  const found: Outcome<User> = user
    ? { kind: 'done', answer: user }
    : settled(await http.call(me, { token }, (body) => readAccount(body)?.user ?? null))
  if (found.kind !== 'done') return found
  await rememberSession(token, found.answer)
  return { kind: 'done', answer: { token, user: found.answer } }
}

function entryOf(body: unknown): Entry {
  const said = members(body)
  return {
    token: text(said['token']) ?? text(said['key']) ?? text(said['access']) ?? '',
    user: readAccount(said['user'])?.user ?? null,
  }
}

/** An answer without a token is not ours; null makes it `later`. */
function tokenIn(body: unknown): Entry | null {
  const entry = entryOf(body)
  return entry.token === '' ? null : entry
}

function mailOf(body: unknown) {
  const said = members(body)
  return {
    status:
      said['status'] === 'already_verified' ? ('already_verified' as const) : ('sent' as const),
    cooldown_seconds: amount(said['cooldown_seconds']) ?? 60,
  }
}

function nothingIn(): true {
  return true
}

function nothing(reply: CallResult<unknown>): Outcome<null> {
  const said = settled(reply)
  return said.kind === 'done' ? { kind: 'done', answer: null } : said
}

function settled<A>(reply: CallResult<A>): Outcome<A> {
  return reply.kind === 'unchanged'
    ? { kind: 'later', why: 'server', retryAfterMs: null, reached: true }
    : reply
}
