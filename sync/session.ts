import type { Entry } from '#schema/disk/entry'
import type { SessionInput } from '#schema/port/engine'
import { SESSION_NOTICE_MS } from '#schema/limits'
import { BehaviorSubject } from 'rxjs'
import type { AuthContext } from './network/http.ts'
import type { CurrentUser } from './noun.ts'
import { roomy } from './outbox/accept.ts'
import { type OutboxState, tokenOf, withMeta } from './outbox/state.ts'
import { pause, resume, signedOut } from './outbox/transitions.ts'
import type { Table } from './outbox/table.ts'
import type { Outside } from './outside.ts'

export interface Person {
  readonly id: string
  readonly username: string
}

export interface SessionCallbacks {
  /** Fetches the owner of a token; 'ended': the token is invalid; null: unknown for now. */
  learn(authContext: AuthContext): Promise<Person | 'ended' | null>
  /** Another user (empty: a visitor) is entered: closes what belongs to the previous one. */
  entering(owner: string): Promise<void>
  entered(owner: string): Promise<void>
  resumed(): void
  full(): Promise<void>
  /** [S4.06] */
  ended(token: string): void
  adopts(entry: Entry): boolean
}

const RESUME_MS = 5000

/** The current token and its owner, and the transitions of entries at sign-in and sign-out. */
export class Session {
  readonly who = new BehaviorSubject<CurrentUser>({ me: '', username: '', language: 'fr' })
  readonly #outside: Outside
  readonly #table: Table
  readonly #hears: SessionCallbacks
  #authContext: AuthContext = { token: null, language: 'fr', sessionId: '' }
  #entering: Promise<void> = Promise.resolve()
  #noticed = Number.NEGATIVE_INFINITY
  #closed = false
  #anybody = false
  #changing = false
  /** Sign-ins that could not be stored yet. */
  readonly #unkept = new Map<string, Person>()

  constructor(outside: Outside, table: Table, hears: SessionCallbacks) {
    this.#outside = outside
    this.#table = table
    this.#hears = hears
  }

  authContext(): AuthContext {
    return this.#authContext
  }

  /** Calls are serialized: the last one decides. */
  enter(entrance: SessionInput): Promise<void> {
    this.#entering = this.#entering.catch(() => undefined).then(() => this.#enter(entrance))
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
    try {
      await this.#write((state) => known(state, token, person))
    } catch (error) {
      console.warn('session', error)
      this.#unkept.set(token, person)
    }
  }

  /** The server rejected this token: entries wait until their owner signs in again. */
  async end(token: string): Promise<void> {
    try {
      await this.#table.change((state) => {
        const owner = state.meta.sessions.find((session) => session.token === token)?.owner
        return { state: owner === undefined ? state : signedOut(state, owner, token), result: null }
      })
    } catch (error) {
      // The next 401 tries to store it again; the session ends in any case.
      console.warn('session', error)
    }
    if (!(await this.#enterInstead(token, null))) return
    if (
      this.#outside.now() - this.#noticed < SESSION_NOTICE_MS &&
      this.#outside.now() >= this.#noticed
    )
      return
    this.#noticed = this.#outside.now()
    this.#hears.ended(token)
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
    this.#unkept.delete(token)
    const forget = async (): Promise<void> => {
      try {
        await this.#write((state) => {
          const sessions = state.meta.sessions.filter((session) => session.token !== token)
          const ended = [...state.meta.ended.filter((one) => one !== token), token]
          const left = withMeta(state, { sessions, ended, lapsed: '' })
          return owner === '' || sessions.some((session) => session.owner === owner)
            ? left
            : pause(left, owner)
        })
      } catch (error) {
        console.warn('session', error)
        this.#outside.setTimer(RESUME_MS, () => !this.#closed && void forget())
      }
    }
    await forget()
    await this.#enterInstead(token, null)
  }

  #write(change: (state: OutboxState) => OutboxState): Promise<null> {
    return roomy(
      () => this.#table.change((state) => ({ state: change(state), result: null })),
      () => this.#hears.full(),
    )
  }

  close(): void {
    this.#closed = true
  }

  async #enter(entrance: SessionInput): Promise<void> {
    const { token, language, sessionId } = entrance
    const before = this.#authContext
    await this.#keep(language, sessionId)
    const person = token === null ? null : await this.#whose(token)
    const another = !this.#anybody || (person?.id ?? '') !== this.who.value.me
    if (another) await this.#become(person, entrance)
    else {
      this.#authContext = entrance
      // A new token of the same user: resume entries that were paused under the old one.
      if (token !== before.token && person)
        await this.#resume(person.id).then(() => this.#hears.resumed())
      if (language !== before.language) this.who.next({ ...this.who.value, language })
    }
    if (token !== null && !person) void this.#find(entrance)
  }

  async #whose(token: string): Promise<Person | null> {
    try {
      const kept = (await this.#table.read()).meta.sessions.find((one) => one.token === token)
      if (kept) return { id: kept.owner, username: kept.username }
    } catch (error) {
      console.warn('session', error)
      const { me, username } = this.who.value
      if (token === this.#authContext.token && me !== '') return { id: me, username }
    }
    return this.#unkept.get(token) ?? null
  }

  /** For the service worker. A failure is ignored: the stored values stay. */
  async #keep(language: CurrentUser['language'], sessionId: string): Promise<void> {
    try {
      await this.#table.change((state) => {
        const same = state.meta.language === language && state.meta.sessionId === sessionId
        return { state: same ? state : withMeta(state, { language, sessionId }), result: null }
      })
    } catch (error) {
      console.warn('session', error)
    }
  }

  /**
   * Changes token and documents together, so that nothing is fetched for one user and stored for
   * another.
   */
  async #become(person: Person | null, entrance: SessionInput): Promise<void> {
    const me = person?.id ?? ''
    this.#changing = true
    this.#authContext = entrance
    try {
      await this.#hears.entering(me)
      await this.#resume(me)
    } finally {
      this.#anybody = true
      this.#changing = false
    }
    this.who.next({ me, username: person?.username ?? '', language: entrance.language })
    await this.#hears.entered(me)
  }

  /** Resumes this user's entries; retries disk failures while the user stays the same. */
  async #resume(me: string): Promise<void> {
    if (me === '') return
    try {
      const { token } = this.#authContext
      const unkept = token === null ? undefined : this.#unkept.get(token)
      await this.#write((state) => {
        const here = token !== null && unkept ? known(state, token, unkept) : state
        // Signed out in another tab, while this one was frozen.
        if (tokenOf(here, me) === null) return state
        return withMeta(
          resume(here, me, (entry) => this.#hears.adopts(entry)),
          { lapsed: '' },
        )
      })
      if (token !== null) this.#unkept.delete(token)
    } catch (error) {
      console.warn('session', error)
      this.#outside.setTimer(
        RESUME_MS,
        () =>
          !this.#closed &&
          this.who.value.me === me &&
          void this.#resume(me).then(() => this.#hears.resumed()),
      )
    }
  }

  /**
   * The token's owner is unknown, for example after site data was cleared: asks the server until it
   * answers.
   */
  async #find(entrance: SessionInput, waitMs = 2000): Promise<void> {
    const { token } = entrance
    if (token === null) return
    const found = await this.#hears.learn(this.#authContext)
    if (this.#closed || this.#authContext.token !== token || this.who.value.me !== '') return
    if (found === 'ended') return this.end(token)
    if (found) {
      await this.remember(token, found)
      return void (await this.#enterInstead(token, token))
    }
    this.#outside.setTimer(waitMs, () => void this.#find(entrance, Math.min(60_000, waitMs * 2)))
  }
}

/** Stores the owner of a token; replaces the owner's other tokens. */
function known(state: OutboxState, token: string, { id, username }: Person): OutboxState {
  const others = state.meta.sessions.filter(
    (session) => session.token !== token && session.owner !== id,
  )
  return withMeta(state, { sessions: [...others, { owner: id, username, token }] })
}
