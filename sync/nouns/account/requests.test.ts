import type { Call } from '#schema/wire/call'
import { expect, test } from 'vitest'
import type { CallResult, Tools } from '../../noun.ts'
import { accountRequests } from './requests.ts'

/** Tools with only `http`; answers come from a map by endpoint. */
function toolsWith(answers: Readonly<Record<string, CallResult<unknown>>>): Tools {
  const call = (asked: Call, _ask: unknown, read: (body: unknown) => unknown) => {
    const reply = answers[asked.name]
    if (!reply) throw new Error(`nothing answers ${asked.name}`)
    if (reply.kind !== 'done') return Promise.resolve(reply)
    const answer = read(reply.answer)
    return Promise.resolve(
      answer === null
        ? { kind: 'later', why: 'server', retryAfterMs: null, reached: true }
        : { kind: 'done', answer },
    )
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- other tools would throw
  return {
    http: { call },
    currentUser: () => ({ me: '', username: '', language: 'fr' }),
    rememberSession: () => Promise.resolve(),
  } as unknown as Tools
}

const asked = {
  id: '01890000-0000-7000-8000-000000000001',
  username: 'awa.k',
  email: 'awa@example.com',
  password: 'mangue7x',
}
const user = { id: 'U1', username: 'awa.k' }

test('[S5.01] a portal that answers a registration with its own JSON does not make the password wrong', async () => {
  const portal = { kind: 'done', answer: { status: 'ok', message: 'Bienvenue' } } as const
  const wrong = {
    kind: 'refused',
    status: 400,
    problem: { detail: 'Identifiants incorrects.', code: 'invalid_credentials' },
  } as const
  expect(
    await accountRequests['account.register']?.(
      asked,
      toolsWith({ 'account.register': portal, 'account.login': wrong }),
    ),
  ).toMatchObject({ kind: 'later', why: 'captive' })
})

test('[API 19]: a simpler server makes the account without a token, and signing in follows', async () => {
  const made = { kind: 'done', answer: user } as const
  const entered = { kind: 'done', answer: { key: 'T1', user } } as const
  expect(
    await accountRequests['account.register']?.(
      asked,
      toolsWith({ 'account.register': made, 'account.login': entered }),
    ),
  ).toMatchObject({ kind: 'done', answer: { token: 'T1' } })
})
