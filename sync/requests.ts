import type { Outcome } from '#schema/port/outcome'
import { logout } from '#schema/wire/account'
import type { SignedIn } from '#schema/port/request'
import type { Engine } from './engine.ts'
import type { RequestRules } from './noun.ts'

const LOGOUT_MS = 4000

/** The requests that the engine settles itself: about its outbox, its data, its session. */
export function ownRequests(engine: Engine, { 'account.login': login, 'account.register': register }: RequestRules): RequestRules {
  const { outbox } = engine
  /** From the answer on the token is known here, so that the person is in at once, offline too. */
  const remembered = async (said: Outcome<SignedIn>): Promise<Outcome<SignedIn>> => {
    if (said.kind === 'done') await engine.session.remember(said.answer.token, said.answer.user)
    return said
  }
  return {
    ...(login && { 'account.login': async (params, tools) => remembered(await login(params, tools)) }),
    ...(register && { 'account.register': async (params, tools) => remembered(await register(params, tools)) }),
    'outbox.retry': async ({ id }) => done(await outbox.retry(id)),
    'outbox.edit': async ({ id, content }) => amended(await outbox.edit(id, content)),
    'outbox.remove': async ({ id }) => amended(await outbox.remove(id)),
    'draft.keep': async ({ key, content }) => done(await outbox.keepText(key, content, engine.outside.now())),
    /** Only to who is there now; without a socket nobody is. */
    'conversation.typing': async ({ conversation, active }) => done(engine.stream.say({ type: 'typing', conversation, active })),
    'data.refresh': async ({ name, params }) => done(await engine.refresh(name, params)),
    'data.clear': async () => done(await engine.clear()),
    'page.state': async (page) => done(engine.page(page)),
    'push.received': async ({ event }) => done(await engine.pushed(event)),
    'account.logout': async () => {
      const passport = engine.session.passport()
      const owner = engine.session.who.value.me
      await engine.session.leave()
      if (owner !== '') await engine.store.forget(owner)
      // Without a network the token is forgotten here all the same.
      if (passport.token !== null) await engine.line.send({ call: logout, body: {}, passport, deadlineMs: LOGOUT_MS })
      return done()
    },
    stats: async () => ({ kind: 'done', answer: await engine.stats() }),
  }
}

function done(_nothing?: void | Promise<void>): Outcome<null> {
  return { kind: 'done', answer: null }
}

function amended(refused: string | null): Outcome<null> {
  return refused === null ? done() : { kind: 'refused', status: 409, problem: { detail: '', code: refused } }
}

