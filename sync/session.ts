import type { SessionInput } from '#schema/port/engine'
import { SESSION_NOTICE_MS } from '#schema/limits'
import { BehaviorSubject } from 'rxjs'
import type { AuthContext } from './network/http.ts'
import type { CurrentUser, Person } from './noun.ts'
import type { LateOutbox } from './outbox/late.ts'
import type { Outbox } from './outbox/outbox.ts'
import type { StoredSessions } from './outbox/sessions.ts'
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
    return this.#inTurn(() => this.#enter(input))
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
  remember(token: string, person: Person): Promise<void> {
    return this.#stored(
      (sessions) => sessions.remember(token, person),
      () => void this.#unstored.set(token, person),
    )
  }

  /** The server rejected this token: entries wait until their owner signs in again. */
  async end(token: string): Promise<void> {
    // If that fails, the next 401 tries again; the session ends in any case.
    await this.#stored((sessions) => sessions.expire(token), nothing)
    if (!(await this.#enterInstead(token, null))) return
    const since = this.#outside.now() - this.#noticedAt
    if (since >= 0 && since < SESSION_NOTICE_MS) return
    this.#noticedAt = this.#outside.now()
    this.#callbacks.ended(token)
  }

  /** Enters with `next` if `token` is still the current one when its turn comes. */
  async #enterInstead(token: string, next: string | null): Promise<boolean> {
    let entered = false
    await this.#inTurn(async () => {
      if (this.#authContext.token !== token) return
      entered = true
      await this.#enter({ ...this.#authContext, token: next })
    })
    return entered
  }

  #inTurn(enter: () => Promise<void>): Promise<void> {
    return (this.#entering = this.#entering.catch(() => undefined).then(enter))
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
    const forget = (): Promise<void> =>
      this.#stored(
        (sessions) => sessions.signOut(token, owner),
        () => this.#later(forget),
      )
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
    if (token !== null && !person) void this.#fetchOwner(token)
  }

  async #ownerOf(token: string): Promise<Person | null> {
    const { me: id, username } = this.who.value
    const current = token === this.#authContext.token && id !== '' ? { id, username } : null
    const stored = await this.#stored(
      (sessions) => sessions.ownerOf(token),
      () => current,
    )
    return stored ?? this.#unstored.get(token) ?? null
  }

  /** Called with the outbox once it is loaded. If that fails, the service worker has old values. */
  async inform(outbox: Outbox): Promise<void> {
    const input = this.#input
    if (input) await this.#stored((sessions) => sessions.inform(input), nothing, outbox)
  }

  /** Reads or writes the stored sessions; if the disk fails, with the result of `failed`. */
  async #stored<T>(
    work: (sessions: StoredSessions) => Promise<T>,
    failed: () => T,
    outbox?: Outbox,
  ): Promise<T> {
    try {
      const { sessions } = outbox ?? (await this.#outbox.load())
      return await work(sessions)
    } catch (error) {
      console.warn('session', error)
      return failed()
    }
  }

  #later(again: () => Promise<void>): void {
    this.#outside.setTimer(RESUME_MS, () => !this.#closed && void again())
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
    const { token } = this.#authContext
    if (me === '' || token === null) return
    const person = this.#unstored.get(token)
    await this.#stored(
      async (sessions) => {
        await sessions.resume(me, person ? { token, person } : null)
        this.#unstored.delete(token)
      },
      () => this.#later(async () => (this.who.value.me === me ? this.#resume(me) : undefined)),
    )
  }

  /**
   * The token's owner is unknown, for example after site data was cleared: asks the server until it
   * answers.
   */
  async #fetchOwner(token: string, waitMs = 2000): Promise<void> {
    const found = await this.#callbacks.fetchTokenOwner(this.#authContext)
    if (this.#closed || this.#authContext.token !== token || this.who.value.me !== '') return
    if (found === 'ended') return this.end(token)
    if (found) {
      await this.remember(token, found)
      return void (await this.#enterInstead(token, token))
    }
    this.#outside.setTimer(waitMs, () => void this.#fetchOwner(token, Math.min(60_000, waitMs * 2)))
  }
}

const nothing = (): void => undefined
