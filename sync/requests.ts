import { type Outcome, refused } from '#schema/port/outcome'
import type { Engine } from './engine.ts'
import type { RequestRules } from './noun.ts'

/** Requests that the engine completes itself. */
export function ownRequests(engine: Engine): RequestRules {
  /** Entries of another user must not be changed. */
  const outbox = async () => {
    await engine.session.settled()
    return engine.outbox.load()
  }
  return {
    'outbox.retry': async ({ id }) => done((await outbox()).retry(id)),
    'outbox.edit': async ({ id, content }) => amended(await (await outbox()).edit(id, content)),
    'outbox.wifi': async ({ id, wifiOnly }) => done((await outbox()).wifi(id, wifiOnly)),
    'outbox.remove': async ({ id }) => amended(await (await outbox()).remove(id)),
    'draft.keep': async ({ key, content }) =>
      done((await engine.outbox.load()).keepText(key, content)),
    /** Only useful live: dropped without a socket. */
    'conversation.typing': ({ conversation, active }) =>
      done(engine.stream?.send({ type: 'typing', conversation, active })),
    'data.refresh': ({ name, params }) => done(engine.refresh(name, params)),
    'data.clear': () => done(engine.clear()),
    'page.state': (page) => done(engine.page(page)),
    'page.fetched': ({ sent, received }) => done(engine.meter.add(sent, received)),
    'push.received': () => done(engine.pushed()),
    'account.logout': async () => {
      const { token } = engine.session.current()
      const owner = engine.session.who.value.me
      await engine.session.leave()
      // The same user may have signed in again meanwhile.
      if (owner !== '' && owner !== engine.session.who.value.me) await engine.store.forget(owner)
      if (token !== null) await engine.endSessions(token)
      return done()
    },
    stats: async () => ({ kind: 'done', answer: await engine.stats() }),
  }
}

async function done(work?: void | Promise<void>): Promise<Outcome<null>> {
  await work
  return { kind: 'done', answer: null }
}

function amended(code: string | null): Outcome<null> | Promise<Outcome<null>> {
  return code === null ? done() : refused(code, 409)
}
