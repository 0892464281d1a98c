import type { SessionInput } from '#schema/port/engine'
import { SESSION_NOTICE_MS } from '#schema/limits'
import { BehaviorSubject } from 'rxjs'
import type { CurrentUser, Person } from './noun.ts'
import type { NetworkClient } from './network/networkClient.ts'
import type { LazyOutbox } from './outbox/lazy.ts'
import type { Outbox } from './outbox/outbox.ts'
import type { Outside } from './outside.ts'

interface SessionCallbacks extends Pick<NetworkClient, 'fetchTokenOwner'> {
  /** Closes what belongs to the previous user; empty: a visitor. */
  entering(owner: string): Promise<void>
  entered(owner: string): Promise<void>
  /** [S4.06] */
  ended(token: string): void
}

const RESUME_MS = 5000

export function createSession(outside: Outside, outbox: LazyOutbox, callbacks: SessionCallbacks) {
  const who = new BehaviorSubject<CurrentUser>({ me: '', username: '', language: 'fr' })
  /** Sign-ins that the disk did not take. */
  const unstored = new Map<string, Person>()
  let current: SessionInput = { token: null, language: 'fr', sessionId: '' }
  let entering = Promise.resolve()
  let noticedAt = Number.NEGATIVE_INFINITY
  let isClosed = false
  let everEntered = false
  let isChanging = false

  function inTurn(work: () => Promise<void>) {
    return (entering = entering.catch(() => undefined).then(work))
  }

  async function enterInstead(token: string, next: string | null) {
    let entered = false
    await inTurn(async () => {
      if (current.token !== token) return
      entered = true
      await enterNow({ ...current, token: next })
    })
    return entered
  }

  async function enterNow(next: SessionInput) {
    const { token, language } = next
    const before = current
    await outbox.find()
    const person = token === null ? null : await ownerOf(token)
    if (!everEntered || (person?.id ?? '') !== who.value.me) await switchUser(person, next)
    else {
      current = next
      if (token !== before.token && person) await resume(person.id)
      if (language !== before.language) who.next({ ...who.value, language })
    }
    if (token !== null && !person) void fetchOwner(token)
  }

  async function ownerOf(token: string) {
    const { me: id, username } = who.value
    const known = token === current.token && id !== '' ? { id, username } : null
    const found = await stored(
      (sessions) => sessions.ownerOf(token),
      () => known,
    )
    return found ?? unstored.get(token) ?? null
  }

  async function stored<T>(work: (sessions: Outbox['sessions']) => Promise<T>, failed?: () => T) {
    try {
      const { sessions } = await outbox.load()
      return await work(sessions)
    } catch (error) {
      console.warn('session', error)
      return failed?.()
    }
  }

  function later(again: () => Promise<void>) {
    outside.setTimer(RESUME_MS, () => !isClosed && void again())
  }

  /** Nothing is fetched for one user and stored for another. */
  async function switchUser(person: Person | null, next: SessionInput) {
    const me = person?.id ?? ''
    isChanging = true
    current = next
    try {
      await callbacks.entering(me)
      await resume(me)
    } finally {
      everEntered = true
      isChanging = false
    }
    who.next({ me, username: person?.username ?? '', language: next.language })
    await callbacks.entered(me)
  }

  /** Tries again while the disk fails. */
  async function resume(me: string) {
    const { token } = current
    if (me === '' || token === null) return
    const person = unstored.get(token)
    await stored(
      async (sessions) => {
        await sessions.resume(me, token, person)
        unstored.delete(token)
      },
      () => later(async () => (who.value.me === me ? resume(me) : undefined)),
    )
  }

  /** For example after site data was cleared: asks until it is known. */
  async function fetchOwner(token: string) {
    const found = await callbacks.fetchTokenOwner()
    if (isClosed || current.token !== token || who.value.me !== '') return
    if (found === 'ended') return end(token)
    if (!found) return fetchOwner(token)
    await remember(token, found)
    await enterInstead(token, token)
  }

  /** Known offline too; in memory while the disk fails. */
  function remember(token: string, person: Person) {
    return stored(
      (sessions) => sessions.remember(token, person),
      () => void unstored.set(token, person),
    )
  }

  /** Entries wait until their owner signs in again. */
  async function end(token: string) {
    // If that fails, the next 401 tries again.
    await stored((sessions) => sessions.expire(token))
    if (!(await enterInstead(token, null))) return
    const since = outside.now() - noticedAt
    if (since >= 0 && since < SESSION_NOTICE_MS) return
    noticedAt = outside.now()
    callbacks.ended(token)
  }

  return {
    who,
    enter: (next: SessionInput) => inTurn(() => enterNow(next)),
    remember,
    end,
    current: () => current,
    get changing() {
      return isChanging
    },
    get entered() {
      return everEntered && !isChanging
    },
    async settled() {
      do await entering.catch(() => undefined)
      while (isChanging)
    },
    async leave() {
      const { token } = current
      const owner = who.value.me
      if (token === null) return
      unstored.delete(token)
      const forget = () =>
        stored(
          (sessions) => sessions.signOut(token, owner),
          () => later(forget),
        )
      await forget()
      await enterInstead(token, null)
    },
    close() {
      isClosed = true
    },
  }
}
