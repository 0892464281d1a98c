import { later } from '#schema/port/outcome'
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
import type { BodyOf, Call } from '#schema/wire/call'
import type { CallOptions, CallResult, RequestRules, Tools } from '../../noun.ts'
import { mapAnswer } from '../needs.ts'
import { amount, members, text } from '../tolerant.ts'
import { readAccount } from './commands.ts'

export const accountRequests: RequestRules = {
  'account.register': async ({ id, username, email, password }, tools) => {
    const { language } = tools.currentUser()
    const body = { username, email, password, language }
    const created = await tools.http.call(register, { body, token: null, key: id }, sessionIn)
    if (created.kind !== 'done') return created
    if (created.answer.token !== '') return withUser(tools, created.answer)
    // A simpler server does not sign in here [API 19]. If it refuses then, a portal had answered.
    const signedIn = await signIn(tools, username, password)
    return signedIn.kind === 'refused' ? later('captive', false) : signedIn
  },
  'account.login': ({ username, password }, tools) => signIn(tools, username, password),
  'account.forgot': ({ name }, { http }) =>
    http.call(
      requestReset,
      { body: name.includes('@') ? { email: name } : { username: name } },
      cooldownOf,
    ),
  'account.reset': ({ uid, token, password }, tools) =>
    succeed(tools, confirmReset, { body: { uid, token, new_password: password } }),
  'account.verify': ({ uid, token }, { http }) =>
    http.call(verifyEmail, { body: { uid, token } }, (body) => ({
      status: verifiedBefore(body) ?? 'verified',
    })),
  'account.requestVerification': async (_none, { http }) => {
    const asked = await http.call(requestVerification, {}, mailOf)
    // A server without this endpoint takes the request as an edit [S7.14].
    return asked.kind === 'refused' && [404, 405].includes(asked.status)
      ? http.call(editMe, { body: { action: 'request_email_verification' } }, mailOf)
      : asked
  },
  'account.password': ({ current, next }, tools) =>
    succeed(tools, changePassword, { body: { current_password: current, new_password: next } }),
  'account.email': ({ email, password }, tools) =>
    editAccount(tools, { email, current_password: password }),
  'account.avatar': ({ photo }, tools) => editAccount(tools, pictureOf(photo)),
  'account.export': (_none, { http }) => http.call(exportMe, {}, (body): unknown => body),
  'account.delete': async ({ password }, tools) => {
    const deleted = await succeed(tools, deleteMe, { body: { current_password: password } })
    if (deleted.kind === 'done') await tools.eraseOwnData()
    return deleted
  },
  'push.config': (_none, { http }) => http.call(readPushConfig, {}),
  'push.subscribe': (body, tools) => succeed(tools, subscribePush, { body }),
  'push.unsubscribe': ({ endpoint }, tools) =>
    succeed(tools, unsubscribePush, { query: { endpoint }, body: { endpoint } }),
  'push.test': (body, tools) => succeed(tools, testPush, { body }),
}

async function signIn(tools: Tools, username: string, password: string) {
  // Without a token: a 401 to a failed login [API 19] must not end a session.
  const options = { body: { username, password }, token: null }
  const session = await tools.http.call(login, options, (body) => {
    const answer = sessionIn(body)
    return answer.token === '' ? null : answer
  })
  return session.kind === 'done' ? withUser(tools, session.answer) : session
}

async function withUser(
  { http, rememberSession }: Tools,
  { token, user }: ReturnType<typeof sessionIn>,
): Promise<CallResult<SignedIn>> {
  const found: CallResult<User> = user
    ? { kind: 'done', answer: user }
    : await http.call(me, { token }, (body) => readAccount(body)?.user ?? null)
  return mapAnswer(found, async (person) => {
    await rememberSession(token, person)
    return { token }
  })
}

/** An empty token: not signed in. */
function sessionIn(body: unknown) {
  const { token, key, access, user } = members(body)
  return {
    token: text(token) ?? text(key) ?? text(access) ?? '',
    user: readAccount(user)?.user ?? null,
  }
}

function verifiedBefore(body: unknown) {
  return members(body)['status'] === 'already_verified' ? ('already_verified' as const) : null
}

function cooldownOf(body: unknown) {
  return { cooldown_seconds: amount(members(body)['cooldown_seconds']) ?? 60 }
}

function mailOf(body: unknown) {
  return { status: verifiedBefore(body) ?? ('sent' as const), ...cooldownOf(body) }
}

async function succeed<C extends Call>({ http }: Tools, call: C, options: CallOptions<C>) {
  return mapAnswer(await http.call(call, options, () => true), () => null)
}

async function editAccount({ http, store }: Tools, body: BodyOf<typeof editMe> | FormData) {
  const edited = await http.call(editMe, { body }, readAccount)
  return mapAnswer(edited, async (account) => {
    await store.account.put([account])
    return null
  })
}

/** [API 7.4] */
function pictureOf(photo: unknown) {
  if (!(photo instanceof Blob)) return { avatar: null }
  const form = new FormData()
  form.set('avatar', photo, 'avatar.jpg')
  return form
}
