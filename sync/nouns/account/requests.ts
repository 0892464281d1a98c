import type { Outcome } from '#schema/port/outcome'
import type { SignedIn } from '#schema/port/request'
import {
  changePassword,
  confirmReset,
  deleteMe,
  editMe,
  exportMe,
  login,
  me,
  register,
  requestReset,
  requestVerification,
  type User,
  verifyEmail,
} from '#schema/wire/account'
import { readPushConfig, subscribePush, testPush, unsubscribePush } from '#schema/wire/push'
import type { BodyOf } from '#schema/wire/call'
import type { CallResult, RequestRules, Tools } from '../../noun.ts'
import { settled } from '../needs.ts'
import { amount, members, text } from '../tolerant.ts'
import { readAccount } from './read.ts'

export const accountRequests: RequestRules = {
  'account.register': async ({ id, username, email, password }, tools) => {
    const { http, currentUser } = tools
    const created = settled(
      await http.call(
        register,
        {
          body: { username, email, password, language: currentUser().language },
          token: null,
          key: id,
        },
        sessionIn,
      ),
    )
    if (created.kind !== 'done') return created
    if (created.answer.token !== '') return withUser(tools, created.answer)
    // A simpler server creates the account without signing in [API 19]. If signing in is then
    // refused, a portal answered the registration.
    const signedIn = await signIn(tools, username, password)
    return signedIn.kind === 'refused'
      ? { kind: 'later', why: 'captive', retryAfterMs: null, reached: false }
      : signedIn
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
  'account.password': async ({ current, next }, { http }) =>
    nothing(
      await http.call(changePassword, { body: { current_password: current, new_password: next } }),
    ),
  'account.email': ({ email, password }, tools) =>
    editAccount(tools, { email, current_password: password }),
  'account.avatar': ({ photo }, tools) => editAccount(tools, pictureOf(photo)),
  'account.export': async (_none, { http }) => {
    const file = await http.call(exportMe, {}, (body): unknown => body)
    return settled(file)
  },
  'account.delete': async ({ password }, { http, eraseOwnData }) => {
    const deleted = nothing(await http.call(deleteMe, { body: { current_password: password } }))
    if (deleted.kind === 'done') await eraseOwnData()
    return deleted
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
  const session = settled(
    await tools.http.call(login, { body: { username, password }, token: null }, tokenIn),
  )
  return session.kind === 'done' ? withUser(tools, session.answer) : session
}

interface SessionAnswer {
  /** Empty: registered, but not signed in. */
  readonly token: string
  readonly user: User | null
}

async function withUser(
  { http, rememberSession }: Tools,
  { token, user }: SessionAnswer,
): Promise<Outcome<SignedIn>> {
  const found: Outcome<User> = user
    ? { kind: 'done', answer: user }
    : settled(await http.call(me, { token }, (body) => readAccount(body)?.user ?? null))
  if (found.kind !== 'done') return found
  await rememberSession(token, found.answer)
  return { kind: 'done', answer: { token, user: found.answer } }
}

function sessionIn(body: unknown): SessionAnswer {
  const { token, key, access, user } = members(body)
  return {
    token: text(token) ?? text(key) ?? text(access) ?? '',
    user: readAccount(user)?.user ?? null,
  }
}

/** An answer without a token is not ours; null makes it `later`. */
function tokenIn(body: unknown): SessionAnswer | null {
  const session = sessionIn(body)
  return session.token === '' ? null : session
}

function mailOf(body: unknown) {
  const { status, cooldown_seconds } = members(body)
  return {
    status: status === 'already_verified' ? ('already_verified' as const) : ('sent' as const),
    cooldown_seconds: amount(cooldown_seconds) ?? 60,
  }
}

function nothingIn(): true {
  return true
}

/** For an answer of which only the success matters. */
function nothing(reply: CallResult<unknown>): Outcome<null> {
  const outcome = settled(reply)
  return outcome.kind === 'done' ? { kind: 'done', answer: null } : outcome
}

async function editAccount(
  { http, store }: Tools,
  body: BodyOf<typeof editMe> | FormData,
): Promise<Outcome<null>> {
  const edited = await http.call(editMe, { body }, readAccount)
  if (edited.kind === 'done') await store.account.put([edited.answer])
  return nothing(edited)
}

/** [API 7.4]: a file in a form, or `avatar: null` to remove it. */
function pictureOf(photo: unknown): FormData | { avatar: null } {
  if (!(photo instanceof Blob)) return { avatar: null }
  const form = new FormData()
  form.set('avatar', photo, 'avatar.jpg')
  return form
}
