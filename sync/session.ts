import type { SessionInput } from '#schema/port/engine'
import { SESSION_NOTICE_MS } from '#schema/limits'
import { BehaviorSubject } from 'rxjs'
import type { AuthContext } from './network/http.ts'
import type { CurrentUser } from './noun.ts'
import type { LateOutbox } from './outbox/late.ts'
import type { Outbox } from './outbox/outbox.ts'
import type { Person, StoredSessions } from './outbox/sessions.ts'
import type { Outside } from './outside.ts'

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
  readonly #outbox: LateOutbox
  readonly #callbacks: SessionCallbacks
  #input: SessionInput | null = null
  #authContext: AuthContext = { token: null, language: 'fr', sessionId: '' }
  #entering: Promise<void> = Promise.resolve()
  #noticedAt = Number.NEGATIVE_INFINITY
  #closed = false
  #everEntered = false
  #changing = false
  /** Sign-ins that could not be stored yet. */
  readonly #unstored = new Map<string, Person>()

  constructor(outside: Outside, outbox: LateOutbox, callbacks: SessionCallbacks) {
    this.#outside = outside
    this.#outbox = outbox
    this.#callbacks = callbacks
  }

  authContext(): AuthContext {
    return this.#authContext
  }

  /** Calls are serialized: the last one decides. */
  enter(input: SessionInput): Promise<void> {
    this.#entering = this.#entering.catch(() => undefined).then(() => this.#enter(input))
    return this.#entering
  }

  /** true during a user switch, when there is no current user. */
  get changing(): boolean {
    return this.#changing
  }

  /** A user, or a visitor, was entered: `entered` was called. */
  get entered(): boolean {
    return this.#everEntered && !this.#changing
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
    try {
      await (await this.#stored()).remember(token, person)
    } catch (error) {
      console.warn('session', error)
      this.#unstored.set(token, person)
    }
  }

  /** The server rejected this token: entries wait until their owner signs in again. */
  async end(token: string): Promise<void> {
    try {
      await (await this.#stored()).expire(token)
    } catch (error) {
      // The next 401 tries to store it again; the session ends in any case.
      console.warn('session', error)
    }
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
    this.#entering = this.#entering
      .catch(() => undefined)
      .then(async () => {
        if (this.#authContext.token !== token) return
        entered = true
        await this.#enter({ ...this.#authContext, token: next })
      })
    await this.#entering
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
      try {
        await (await this.#stored()).signOut(token, owner)
      } catch (error) {
        console.warn('session', error)
        this.#outside.setTimer(RESUME_MS, () => !this.#closed && void forget())
      }
    }
    await forget()
    await this.#enterInstead(token, null)
  }

  close(): void {
    this.#closed = true
  }

  async #enter(input: SessionInput): Promise<void> {
    const { token, language } = input
    const before = this.#authContext
    this.#input = input
    const { now } = this.#outbox
    await (now ? this.inform(now) : this.#outbox.find())
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
      const stored = await (await this.#stored()).ownerOf(token)
      if (stored) return stored
    } catch (error) {
      console.warn('session', error)
      const { me, username } = this.who.value
      if (token === this.#authContext.token && me !== '') return { id: me, username }
    }
    return this.#unstored.get(token) ?? null
  }

  /** Called with the outbox once it is loaded. */
  async inform(outbox: Outbox): Promise<void> {
    try {
      if (this.#input) await outbox.sessions.inform(this.#input)
    } catch (error) {
      // The service worker keeps the values that it has.
      console.warn('session', error)
    }
  }

  async #stored(): Promise<StoredSessions> {
    return (await this.#outbox.load()).sessions
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
    try {
      const { token } = this.#authContext
      const unstored = token === null ? undefined : this.#unstored.get(token)
      const stored = await this.#stored()
      await stored.resume(me, token !== null && unstored ? { token, person: unstored } : null)
      if (token !== null) this.#unstored.delete(token)
    } catch (error) {
      console.warn('session', error)
      this.#outside.setTimer(
        RESUME_MS,
        () => !this.#closed && this.who.value.me === me && void this.#resume(me),
      )
    }
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
