import type { CommandRules, Person } from '../noun.ts'
import { adopting } from './accept.ts'
import { type OutboxState, tokenOf, withMeta } from './state.ts'
import { resume, signedOut, withoutSession } from './transitions.ts'

export function storedSessions(
  outbox: {
    update(change: (state: OutboxState) => OutboxState, roomy?: boolean): Promise<void>
    read(): Promise<OutboxState>
  },
  rules: CommandRules,
) {
  return {
    async ownerOf(token: string): Promise<Person | null> {
      const { meta } = await outbox.read()
      const stored = meta.sessions.find((one) => one.token === token)
      return stored ? { id: stored.owner, username: stored.username } : null
    },

    remember: (token: string, person: Person) =>
      outbox.update((state) => withSession(state, token, person), true),

    expire: (token: string) =>
      outbox.update((state) => {
        const owner = state.meta.sessions.find((session) => session.token === token)?.owner
        return owner === undefined ? state : signedOut(state, owner, token)
      }),

    signOut: (token: string, owner: string) =>
      outbox.update((state) => {
        const ended = [...state.meta.ended.filter((one) => one !== token), token]
        return withMeta(withoutSession(state, owner, token), { ended, lapsed: '' })
      }, true),

    /** `unstored`: the token's owner, if not stored yet. */
    resume: (me: string, token: string, unstored: Person | undefined) =>
      outbox.update((state) => {
        const withOwner = unstored ? withSession(state, token, unstored) : state
        // Signed out in another tab, while this one was frozen.
        if (tokenOf(withOwner, me) === null) return state
        return withMeta(resume(withOwner, me, adopting(rules)), { lapsed: '' })
      }, true),

    toRevoke: async () => (await outbox.read()).meta.ended,

    revoked: (token: string) =>
      outbox.update((state) =>
        state.meta.ended.includes(token)
          ? withMeta(state, { ended: state.meta.ended.filter((one) => one !== token) })
          : state,
      ),
  }
}

/** In place of the owner's other ones. */
function withSession(state: OutboxState, token: string, { id, username }: Person) {
  const others = state.meta.sessions.filter(
    (session) => session.token !== token && session.owner !== id,
  )
  return withMeta(state, { sessions: [...others, { owner: id, username, token }] })
}
