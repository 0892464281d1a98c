import type { SessionInput } from '#schema/port/engine'
import { SESSION_NOTICE_MS } from '#schema/limits'
import { BehaviorSubject } from 'rxjs'
import type { AuthContext } from './network/http.ts'
import type { CurrentUser } from './noun.ts'
import { type OutboxState, tokenOf, withMeta } from './outbox/state.ts'
import { pause, resume, signedOut } from './outbox/transitions.ts'
import type { Outbox } from './outbox/outbox.ts'
import type { Outside } from './outside.ts'

export interface Person {
  readonly id: string
  readonly username: string
}

export interface SessionCallbacks {
  /** Fetches the owner of a token; 'ended': the token is invalid; null: unknown for now. */
  fetchTokenOwner(authContext: AuthContext): Promise<Person | 'ended' | null>
  /** Another user (empty: a visitor) is entered: closes what belongs to the previous one. */
  entering(owner: string): Promise<void>
  entered(owner: string): Promise<void>
  /** [S4.06] */
  ended(token: string): void
}

/** Until a failed write of the session is tried again. */
const RESUME_MS = 5000

/** The current token and its owner, and the transitions of entries at sign-in and sign-out. */
export class Session {
  readonly who = new BehaviorSubject<CurrentUser>({ me: '', username: '', language: 'fr' })
  readonly #outside: Outside
  readonly #outbox: Outbox
  readonly #callbacks: SessionCallbacks
  #authContext: AuthContext = { token: null, language: 'fr', sessionId: '' }
  #entering: Promise<void> = Promise.resolve()
  #noticedAt = Number.NEGATIVE_INFINITY
  #closed = false
  #everEntered = false
  #changing = false
  /** Sign-ins that could not be stored yet. */
  readonly #unstored = new Map<string, Person>()

  constructor(outside: Outside, outbox: Outbox, callbacks: SessionCallbacks) {
    this.#outside = outside
    this.#outbox = outbox
    this.#callbacks = callbacks
  }

  authContext(): AuthContext {
    return this.#authContext
  }

  /** Calls are serialized: the last one decides. */
  enter(input: SessionInput): Promise<void> {
    return this.#next(() => this.#enter(input))
  }

  #next(work: () => Promise<void>): Promise<void> {
    this.#entering = this.#entering.catch(() => undefined).then(work)
    return this.#entering
  }

  /** true during a user switch, when there is no current user. */
  get changing(): boolean {
    return this.#changing
  }

  async settled(): Promise<void> {
    do await this.#entering.catch(() => undefined)
    while (this.#changing)
  }

  /**
   * Stores the owner of a token, so that it is known offline. If storage fails, stores it in memory
   * and retries later.
   */
  async remember(token: string, person: Person): Promise<void> {
    const stored = await this.#store((state) => withSession(state, token, person), true)
    if (!stored) this.#unstored.set(token, person)
  }

  /** false: the disk failed. */
  async #store(change: (state: OutboxState) => OutboxState, roomy = false): Promise<boolean> {
    try {
      await this.#outbox.update(change, roomy)
      return true
    } catch (error) {
      console.warn('session', error)
      return false
    }
  }

  /** The server rejected this token: entries wait until their owner signs in again. */
  async end(token: string): Promise<void> {
    // If the disk fails, the next 401 tries again; the session ends in any case.
    await this.#store((state) => {
      const owner = state.meta.sessions.find((session) => session.token === token)?.owner
      return owner === undefined ? state : signedOut(state, owner, token)
    })
    if (!(await this.#enterInstead(token, null))) return
    if (
      this.#outside.now() - this.#noticedAt < SESSION_NOTICE_MS &&
      this.#outside.now() >= this.#noticedAt
    )
      return
    this.#noticedAt = this.#outside.now()
    this.#callbacks.ended(token)
  }

  /** Enters with `next` if `token` is still the current one when its turn comes. */
  async #enterInstead(token: string, next: string | null): Promise<boolean> {
    let entered = false
    await this.#next(async () => {
      if (this.#authContext.token !== token) return
      entered = true
      await this.#enter({ ...this.#authContext, token: next })
    })
    return entered
  }

  /**
   * Signs out: pauses the owner's entries, hides them, and records the token for revocation.
   * Retries until the disk accepts it.
   */
  async leave(): Promise<void> {
    const { token } = this.#authContext
    const owner = this.who.value.me
    if (token === null) return
    this.#unstored.delete(token)
    const forget = async (): Promise<void> => {
      const stored = await this.#store((state) => {
        const sessions = state.meta.sessions.filter((session) => session.token !== token)
        const ended = [...state.meta.ended.filter((one) => one !== token), token]
        const left = withMeta(state, { sessions, ended, lapsed: '' })
        return owner === '' || sessions.some((session) => session.owner === owner)
          ? left
          : pause(left, owner)
      }, true)
      if (!stored) this.#outside.setTimer(RESUME_MS, () => !this.#closed && void forget())
    }
    await forget()
    await this.#enterInstead(token, null)
  }

  close(): void {
    this.#closed = true
  }

  async #enter(input: SessionInput): Promise<void> {
    const { token, language, sessionId } = input
    const before = this.#authContext
    await this.#storeForWorker(language, sessionId)
    const person = token === null ? null : await this.#ownerOf(token)
    const another = !this.#everEntered || (person?.id ?? '') !== this.who.value.me
    if (another) await this.#switchUser(person, input)
    else {
      this.#authContext = input
      // A new token of the same user: resume entries that were paused under the old one.
      if (token !== before.token && person) await this.#resume(person.id)
      if (language !== before.language) this.who.next({ ...this.who.value, language })
    }
    if (token !== null && !person) void this.#fetchOwner(input)
  }

  async #ownerOf(token: string): Promise<Person | null> {
    try {
      const stored = (await this.#outbox.read()).meta.sessions.find((one) => one.token === token)
      if (stored) return { id: stored.owner, username: stored.username }
    } catch (error) {
      console.warn('session', error)
      const { me, username } = this.who.value
      if (token === this.#authContext.token && me !== '') return { id: me, username }
    }
    return this.#unstored.get(token) ?? null
  }

  /** For the service worker. A failure is ignored: the stored values stay. */
  async #storeForWorker(language: CurrentUser['language'], sessionId: string): Promise<void> {
    await this.#store((state) => {
      const same = state.meta.language === language && state.meta.sessionId === sessionId
      return same ? state : withMeta(state, { language, sessionId })
    })
  }

  /**
   * Changes token and documents together, so that nothing is fetched for one user and stored for
   * another.
   */
  async #switchUser(person: Person | null, input: SessionInput): Promise<void> {
    const me = person?.id ?? ''
    this.#changing = true
    this.#authContext = input
    try {
      await this.#callbacks.entering(me)
      await this.#resume(me)
    } finally {
      this.#everEntered = true
      this.#changing = false
    }
    this.who.next({ me, username: person?.username ?? '', language: input.language })
    await this.#callbacks.entered(me)
  }

  /** Resumes this user's entries; retries disk failures while the user stays the same. */
  async #resume(me: string): Promise<void> {
    if (me === '') return
    const { token } = this.#authContext
    const unstored = token === null ? undefined : this.#unstored.get(token)
    const stored = await this.#store((state) => {
      const withOwner = token !== null && unstored ? withSession(state, token, unstored) : state
      // Signed out in another tab, while this one was frozen.
      if (tokenOf(withOwner, me) === null) return state
      return withMeta(
        resume(withOwner, me, (entry) => this.#outbox.adopts(entry)),
        { lapsed: '' },
      )
    }, true)
    if (!stored)
      this.#outside.setTimer(
        RESUME_MS,
        () => !this.#closed && this.who.value.me === me && void this.#resume(me),
      )
    else if (token !== null) this.#unstored.delete(token)
  }

  /**
   * The token's owner is unknown, for example after site data was cleared: asks the server until it
   * answers.
   */
  async #fetchOwner(input: SessionInput, waitMs = 2000): Promise<void> {
    const { token } = input
    if (token === null) return
    const found = await this.#callbacks.fetchTokenOwner(this.#authContext)
    if (this.#closed || this.#authContext.token !== token || this.who.value.me !== '') return
    if (found === 'ended') return this.end(token)
    if (found) {
      await this.remember(token, found)
      return void (await this.#enterInstead(token, token))
    }
    this.#outside.setTimer(waitMs, () => void this.#fetchOwner(input, Math.min(60_000, waitMs * 2)))
  }
}

/** Stores the owner of a token; replaces the owner's other tokens. */
function withSession(state: OutboxState, token: string, { id, username }: Person): OutboxState {
  const others = state.meta.sessions.filter(
    (session) => session.token !== token && session.owner !== id,
  )
  return withMeta(state, { sessions: [...others, { owner: id, username, token }] })
}
