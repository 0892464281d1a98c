import type { SessionInput } from '#schema/port/engine'
import type { Person } from '../noun.ts'
import type { Outbox } from './outbox.ts'
import { type OutboxState, tokenOf, withMeta } from './state.ts'
import { resume, signedOut, withoutSession } from './transitions.ts'

/** The stored tokens with their owners, and what becomes of entries at sign-in and sign-out. */
export class StoredSessions {
  readonly #outbox: Outbox

  constructor(outbox: Outbox) {
    this.#outbox = outbox
  }

  /** For the service worker, which cannot read local storage. */
  async inform({ language, sessionId }: Omit<SessionInput, 'token'>): Promise<void> {
    await this.#outbox.update((state) => {
      const same = state.meta.language === language && state.meta.sessionId === sessionId
      return same ? state : withMeta(state, { language, sessionId })
    })
  }

  async ownerOf(token: string): Promise<Person | null> {
    const { meta } = await this.#outbox.read()
    const stored = meta.sessions.find((one) => one.token === token)
    return stored ? { id: stored.owner, username: stored.username } : null
  }

  remember(token: string, person: Person): Promise<void> {
    return this.#outbox.update((state) => withSession(state, token, person), true)
  }

  expire(token: string): Promise<void> {
    return this.#outbox.update((state) => {
      const owner = state.meta.sessions.find((session) => session.token === token)?.owner
      return owner === undefined ? state : signedOut(state, owner, token)
    })
  }

  /** Pauses the owner's entries, hides them, and records the token for revocation. */
  signOut(token: string, owner: string): Promise<void> {
    return this.#outbox.update((state) => {
      const ended = [...state.meta.ended.filter((one) => one !== token), token]
      return withMeta(withoutSession(state, owner, token), { ended, lapsed: '' })
    }, true)
  }

  /** Resumes this user's entries. `unstored`: the session, if it could not be stored yet. */
  resume(me: string, unstored: { readonly token: string; readonly person: Person } | null) {
    return this.#outbox.update((state) => {
      const withOwner = unstored ? withSession(state, unstored.token, unstored.person) : state
      // Signed out in another tab, while this one was frozen.
      if (tokenOf(withOwner, me) === null) return state
      return withMeta(
        resume(withOwner, me, (entry) => this.#outbox.adopts(entry)),
        { lapsed: '' },
      )
    }, true)
  }

  /** Tokens of signed-out users, still to be revoked on the server. */
  async toRevoke(): Promise<readonly string[]> {
    return (await this.#outbox.read()).meta.ended
  }

  revoked(token: string): Promise<void> {
    return this.#outbox.update((state) =>
      state.meta.ended.includes(token)
        ? withMeta(state, { ended: state.meta.ended.filter((one) => one !== token) })
        : state,
    )
  }
}

/** Stores the owner of a token; replaces the owner's other tokens. */
function withSession(state: OutboxState, token: string, { id, username }: Person): OutboxState {
  const others = state.meta.sessions.filter(
    (session) => session.token !== token && session.owner !== id,
  )
  return withMeta(state, { sessions: [...others, { owner: id, username, token }] })
}
