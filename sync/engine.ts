import { emptyList } from '#schema/disk/documents'
import type { Command } from '#schema/port/command'
import type { EnginePort, SessionInput, EngineEvent } from '#schema/port/engine'
import { countsOf, isUnsent } from '#schema/disk/entry'
import {
  type DatabaseProblem,
  later,
  type Outcome,
  refused,
  type SendResult,
} from '#schema/port/outcome'
import { type Question, type QuestionName, questions } from '#schema/port/question'
import {
  type Request,
  type RequestAnswers,
  type RequestName,
  type RequestParams,
  requests,
  type Stats,
} from '#schema/port/request'
import { LOGOUT_PATH } from '#schema/wire/session'
import { SOCKET_PATH } from '#schema/wire/socket'
import type { Members } from '#schema/tolerant'
import * as v from 'valibot'
import { EphemeralValues } from './inbox/ephemeral.ts'
import type { receive } from './inbox/receive.ts'
import { Refresh, type Unread } from './inbox/refresh.ts'
import { Seen, type SeenDisk } from './inbox/seen.ts'
import type { Stream, StreamWork } from './inbox/stream.ts'
import type { LeaderDuties } from './leaderDuties.ts'
import { countedSockets } from './network/counted.ts'
import { NetworkClient } from './network/networkClient.ts'
import { Meter, type MeterDisk } from './network/meter.ts'
import type {
  CommandRules,
  DraftStore,
  Need,
  EphemeralHandler,
  QuestionRules,
  EventHandler,
  RequestRule,
  RequestRules,
  Tools,
} from './noun.ts'
import { LateOutbox } from './outbox/late.ts'
import type { Outbox } from './outbox/outbox.ts'
import type { Table } from './outbox/table.ts'
import type { Outside } from './outside.ts'
import { ownRequests } from './requests.ts'
import { Session } from './session.ts'
import { Answers } from './answers.ts'
import type { ManagedStore } from './store/store.ts'
import { Timer } from './within.ts'
import type { writes } from './writes.ts'

export interface Parts {
  readonly outside: Outside
  /** Whether the device has a database of user data. */
  readonly hasWrites: () => Promise<boolean>
  readonly writes: () => Promise<Pick<typeof writes, 'Outbox' | 'LeaderDuties'> & { table: Table }>
  readonly seen: SeenDisk
  readonly meter: MeterDisk
  readonly store: ManagedStore
  /** Data is lost when the tab closes. */
  readonly memoryOnly?: boolean
  readonly held?: DatabaseProblem | undefined
  /** Modules that visitors use; `more` loads the modules of signed-in users. */
  readonly nouns: Nouns
  readonly more?: () => Promise<Nouns>
  readonly drafts: () => Promise<DraftStore>
  readonly version: string
}

export interface Nouns {
  readonly questions: QuestionRules
  readonly commands: CommandRules
  readonly requests: RequestRules
  readonly signedIn?: SignedIn
}

/** What visitors do not use. */
interface SignedIn {
  readonly events: Readonly<Record<string, EventHandler>>
  readonly ephemeral: Readonly<Record<string, EphemeralHandler>>
  readonly catchUp: readonly Need[]
  /** What an open conversation refetches while there is no socket. */
  readonly conversations: readonly Need[]
  stream(outside: Outside, work: StreamWork): Stream
  readonly receive: typeof receive
}

/** Id of the document in `ownLists` whose cursor is the last event that is stored completely. */
const EVENTS = 'events'
/** How long the socket stays open while the app is hidden [SYNC 7]. */
const AWAY_MS = 30_000
const LOAD_AGAIN_MS = 5000
const LOGOUT_MS = 4000

export class Engine implements EnginePort {
  readonly outbox: LateOutbox
  readonly session: Session
  readonly line: NetworkClient
  readonly meter: Meter
  readonly store: ManagedStore
  readonly answers: Answers
  stream: Stream | null
  readonly outside: Outside
  readonly version: string
  #signedIn: SignedIn | undefined
  /** null: nothing was ever to be sent. */
  #lead: LeaderDuties | null = null
  readonly #rules: Omit<Nouns, 'signedIn'>
  #more: (() => Promise<Nouns>) | null
  readonly #unasked = new Map<string, Question>()
  readonly #watched = new Map<string, Question>()
  readonly #tools: Tools
  readonly #refresh: Refresh
  readonly #seenDisk: SeenDisk
  #seen: Seen
  #emit: (event: EngineEvent) => void = () => undefined
  #page: Omit<RequestParams<'page.state'>, 'online' | 'language'> = {
    visible: true,
    saveData: false,
    wifi: null,
  }
  #away = false
  #asked = false
  #session: SessionInput | null = null
  readonly #awayTimer: Timer

  constructor({
    outside,
    hasWrites,
    writes,
    seen,
    meter,
    store,
    memoryOnly = store.memoryOnly,
    held,
    nouns,
    more,
    drafts,
    version,
  }: Parts) {
    this.outside = outside
    this.#awayTimer = new Timer(outside)
    this.version = version
    this.store = store
    this.#signedIn = nouns.signedIn
    this.#more = more ?? null
    this.#rules = {
      questions: { ...nouns.questions },
      commands: { ...nouns.commands },
      requests: { ...ownRequests(this), ...nouns.requests },
    }
    this.#seenDisk = seen
    this.#seen = new Seen(seen, '')
    this.meter = new Meter(outside, meter)
    this.line = new NetworkClient(
      outside,
      this.meter,
      memoryOnly,
      () => this.session.authContext(),
      {
        changed: () => this.#update(),
        online: () => this.#online(),
        serverAnswered: () => this.#serverAnswered(),
        signedOut: (token) => this.outbox.ended(token),
      },
    )
    this.outbox = new LateOutbox({
      outside,
      exists: hasWrites,
      make: async () => {
        const { Outbox, LeaderDuties, table } = await writes()
        const outbox = new Outbox({
          outside,
          table,
          late: this.outbox,
          rules: this.#rules.commands,
          tools: () => this.#bound(),
          send: (request) => this.line.send(request),
          usable: () => this.line.usable,
          wifi: () => this.#page.wifi !== false,
          photo: async (id) => (await drafts()).photo(id),
          makeRoom: () => this.#makeRoom(),
        })
        this.#lead = new LeaderDuties({
          outside,
          outbox,
          line: this.line,
          stream: () => this.stream,
        })
        return outbox
      },
      made: (outbox) => this.#made(outbox),
      ended: (token) => void this.session.end(token).catch(warn),
    })
    this.session = new Session(outside, this.outbox, {
      fetchTokenOwner: () => this.line.fetchTokenOwner(),
      entering: (owner) => this.#entering(owner),
      entered: (owner) => this.#enteredAs(owner),
      ended: (token) => this.#emit({ kind: 'session-ended', token }),
    })
    this.stream = this.#streamOf(nouns)
    this.#tools = {
      store,
      http: this.line,
      currentUser: () => this.session.who.value,
      currentUser$: this.session.who,
      now: () => outside.now(),
      network: this.line.facts,
      saveData: () => this.#page.saveData,
      outbox: this.outbox.entries,
      unreadableEntries: this.outbox.unread,
      texts: this.outbox.texts,
      ephemeral: new EphemeralValues(outside),
      refetchQuestion: (name, params) => {
        for (const need of this.#rules.questions[name]?.needs(params, this.#tools) ?? [])
          this.#refresh.schedule(need)
      },
      drafts,
      echoed: async (id, body) => this.outbox.now?.echoed(id, body),
      endedSessionOwner: async () => (await this.outbox.now?.read())?.meta.lapsed ?? '',
      eraseOwnData: () => this.#erase(),
      rememberSession: (token, person) => this.session.remember(token, person),
      scheduleRefetch: (need) => this.#refresh.schedule(need),
    }
    this.#refresh = new Refresh({
      tools: () => this.#bound(),
      store,
      outside,
      failed: warn,
    })
    this.answers = new Answers(
      this.#rules.questions,
      this.#tools,
      this.#refresh,
      (ms, what) => outside.setTimer(ms, what),
      (key, frame) => this.#emit({ kind: 'frame', key, frame }),
    )
    this.outbox.entries.subscribe((entries) => {
      this.line.setFacts({
        waiting: entries.filter((entry) => !entry.low && isUnsent(entry)).length,
      })
      this.#askBackground()
      this.#emitWaits()
    })
    if (held) this.hold(held)
  }

  get leading(): boolean {
    return this.#lead?.leading === true
  }

  #streamOf({ signedIn }: Nouns): Stream | null {
    if (!signedIn) return null
    return signedIn.stream(
      countedSockets(this.outside, (sent, received) => this.meter.add(sent, received)),
      {
        address: (lastEvent) => this.#address(lastEvent),
        state: (socket) => this.line.setFacts({ socket }),
        lastEvent: () => this.#lastEvent(),
        keepLastEvent: (id) => this.#keepLastEvent(id),
        event: (frame) => this.take(frame),
        ephemeral: (frame) => signedIn.ephemeral[String(frame['type'])]?.(frame, this.#tools),
        catchUp: () => this.#catchUp(),
        poll: (what) =>
          what === 'everything'
            ? this.#catchUp()
            : this.#refresh.catchUp(this.#ofUser(signedIn.conversations)),
        unauthorized: () => this.#unauthorized(),
      },
    )
  }

  async connect(emit: (event: EngineEvent) => void): Promise<void> {
    this.#emit = emit
    if (this.store.outdated || this.line.facts.value.databaseProblem === 'newer')
      emit({ kind: 'outdated' })
    this.#emitWaits()
  }

  /** Nothing can be saved from now on. */
  hold(held: DatabaseProblem): void {
    this.line.setFacts({ databaseProblem: held })
    // A tab with the newer version leads instead.
    if (held === 'newer') this.#lead?.leave()
  }

  async watch(key: string, question: Question): Promise<void> {
    if (!isQuestion(question.name) || !v.is(questions[question.name], question.params))
      return this.#emit({ kind: 'problem', code: 'invalid', detail: question.name })
    this.#watched.set(key, question)
    // During an account switch, do not answer for the previous account.
    await this.session.settled()
    if (this.#watched.get(key) === question) this.#ask(key, question)
  }

  async unwatch(key: string): Promise<void> {
    this.#watched.delete(key)
    this.#unasked.delete(key)
    this.answers.unwatch(key)
  }

  async send(command: Command): Promise<SendResult> {
    const before = this.#session
    await this.session.settled()
    if (this.#rules.commands[command.name] === undefined) await this.#loadMore()
    // Never run the command for another account.
    const another =
      before?.token !== this.#session?.token ||
      (before?.token != null && this.session.who.value.me === '')
    if (another) return { kind: 'refused', code: 'not_authenticated', field: null }
    const outbox = await this.outbox.load().catch(warn)
    return outbox ? outbox.send(command) : { kind: 'unstorable', why: 'unloaded' }
  }

  async ask<N extends RequestName>(request: Request<N>): Promise<Outcome<RequestAnswers[N]>> {
    if (this.#rules.requests[request.name] === undefined) await this.#loadMore()
    const rule: RequestRule<N> | undefined = this.#rules.requests[request.name]
    if (!rule || !v.is(requests[request.name], request.params)) return refused('invalid', 400)
    try {
      const reply = await rule(request.params, this.#tools)
      // Nothing was asked with an ETag, so this is not an answer.
      return reply.kind === 'unchanged' ? later('server', true) : reply
    } catch (error) {
      warn(error)
      return later('storage', false)
    }
  }

  async setSession(input: SessionInput): Promise<void> {
    this.#session = input
    // Requested together: one after the other would take two round trips.
    if (input.token !== null) {
      void this.#loadMore()
      void this.outbox.load().catch(warn)
    }
    const before = this.session.authContext().token
    await this.session.enter(input)
    if (input.token !== before) this.stream?.allow()
  }

  /** A database may be empty: restores this tab's outbox (remembering.ts) and its documents. */
  async reopened(): Promise<void> {
    await this.outbox.now?.settle()
  }

  async ping(): Promise<void> {}

  /** [SYNC 7] */
  async take(frame: Members): Promise<void> {
    if (!this.#signedIn) return
    const tools = this.#bound()
    const { events, receive: takeIn } = this.#signedIn
    const notified = await takeIn(frame, this.outside.now(), this.#seen, async (event, whole) => {
      const result = await events[event.event]?.(event, whole, tools)
      const also = await events['*']?.(event, whole, tools)
      return result?.notified ?? also?.notified ?? null
    })
    if (notified !== null) this.#emit({ kind: 'notified', id: notified })
  }

  /** Called in every tab. A push has only part of an event; an open socket delivers all of it. */
  async pushed(): Promise<void> {
    if (this.leading && this.stream?.live !== true) await this.#catchUp()
  }

  page(page: RequestParams<'page.state'>): void {
    const before = this.#page
    this.#page = page
    if (page.visible) {
      this.#awayTimer.stop()
      this.#away = false
    } else if (before.visible) {
      // The browser may end a hidden page without notice.
      void this.meter.write().catch(() => undefined)
      this.#awayTimer.start(AWAY_MS, () => {
        this.#away = true
        this.#update()
      })
    }
    this.line.page(page.online, page.visible)
    // The page may not have listened when the last count was sent.
    this.#emitWaits()
    this.#update()
  }

  async refresh(name: string, params: unknown): Promise<void> {
    if (isQuestion(name) && v.is(questions[name], params))
      await this.answers.again({ name, params })
  }

  /** Deletes the cache [S2.48]; optimistic documents are written again. */
  async clear(): Promise<void> {
    await this.store.clear()
    this.stream?.renew()
    await this.outbox.now?.settle()
  }

  async stats(): Promise<Stats> {
    await this.session.settled()
    const { leader, socket } = this.line.facts.value
    return {
      counts: await this.store.counts(),
      outbox: countsOf(this.outbox.entries.value),
      bytes: await this.meter.today(),
      month: await this.meter.month(),
      storage: await this.outside.estimate(),
      leader,
      socket,
      versions: { app: this.version },
    }
  }

  /** Revokes tokens of signed-out users, including earlier ones that could not be revoked yet. */
  async endSessions(...tokens: readonly string[]): Promise<void> {
    const sessions = this.outbox.now?.sessions
    const kept = (await sessions?.toRevoke().catch(() => [])) ?? []
    for (const token of new Set([...tokens, ...kept])) {
      const authContext = { ...this.session.authContext(), token }
      // oxlint-disable-next-line no-await-in-loop -- usually there is only one
      const reply = await this.line.send({
        call: { method: 'POST', path: LOGOUT_PATH },
        body: {},
        authContext,
        deadlineMs: LOGOUT_MS,
      })
      if (reply.kind === 'later') return
      // oxlint-disable-next-line no-await-in-loop
      await sessions?.revoked(token)
    }
  }

  async close(): Promise<void> {
    this.#lead?.leave()
    this.stream?.close()
    this.answers.close()
    this.line.close()
    this.session.close()
    this.outbox.close()
    await this.store.close()
  }

  async #entering(owner: string): Promise<void> {
    this.#lead?.leave()
    await Promise.all([this.store.enter(owner), owner === '' ? null : this.#loadMore()])
  }

  #ask(key: string, question: Question): void {
    if (this.#rules.questions[question.name] === undefined && this.#more)
      this.#unasked.set(key, question)
    else this.answers.watch(key, question)
  }

  async #loadMore(): Promise<void> {
    try {
      const all = await this.#more?.()
      if (!all || !this.#more) return
      this.#more = null
      this.#signedIn = all.signedIn
      this.stream ??= this.#streamOf(all)
      Object.assign(this.#rules.questions, all.questions)
      Object.assign(this.#rules.commands, all.commands)
      Object.assign(this.#rules.requests, all.requests)
      for (const [key, question] of this.#unasked) this.answers.watch(key, question)
      this.#unasked.clear()
    } catch (error) {
      warn(error)
      this.outside.setTimer(
        LOAD_AGAIN_MS,
        () => void this.#loadMore().then(() => this.outbox.now?.refresh()),
      )
    }
  }

  /** If the disk fails the data stays, under a user id that is never reused. */
  async #erase(): Promise<void> {
    const { me } = this.session.who.value
    try {
      const outbox = await this.outbox.load()
      await outbox.erase(me)
      await (await this.#tools.drafts()).removeAllOf(me)
    } catch (error) {
      warn(error)
    }
  }

  async #enteredAs(owner: string): Promise<void> {
    this.#seen = new Seen(this.#seenDisk, owner)
    await this.#takeUp(owner)
  }

  async #made(outbox: Outbox): Promise<void> {
    await this.session.inform(outbox)
    if (this.session.entered) void this.#takeUp(this.session.who.value.me)
  }

  /** Shows and sends this user's entries. */
  async #takeUp(owner: string): Promise<void> {
    const outbox = this.outbox.now
    const read = outbox?.refresh()
    if (this.line.facts.value.databaseProblem !== 'newer') this.#lead?.enter(owner)
    this.#update()
    void outbox?.settle()
    void this.endSessions().catch(warn)
    // Answers from now on must be of the new user.
    await read
  }

  #update(): void {
    const { visible, messages = false, saveData } = this.#page
    this.#refresh.allow(visible && this.line.usable)
    this.#askBackground()
    this.#lead?.setVisibility({ visible, away: this.#away, messages, saveData })
    this.outbox.now?.wake()
  }

  /** A hidden tab may be closed before it sends, and one without a network cannot send. */
  #askBackground(): void {
    const waits = this.line.facts.value.waiting > 0 && (!this.line.usable || !this.#page.visible)
    if (waits && !this.#asked) this.outside.askBackground()
    this.#asked = waits
  }

  async #makeRoom(): Promise<void> {
    await this.outside.freeSpace()
    await this.store.makeRoom()
  }

  /** The page stores the count, to detect that the browser deleted the databases. */
  #emitWaits(): void {
    const { now, entries } = this.outbox
    const born = now?.born ?? ''
    if (born === '' || this.session.changing) return
    const { me: owner } = this.session.who.value
    const own = entries.value.filter(
      (entry) => entry.owner === owner && !entry.low && entry.state !== 'acknowledged',
    )
    const messages = own.filter(({ lane }) => lane.startsWith('conversation:')).length
    this.#emit({ kind: 'waits', owner, born, count: own.length, messages })
  }

  /** Tools bound to the current account: writes fail after an account switch. */
  #bound(): Tools {
    const who = this.session.changing ? nobody : this.session.who.value
    return {
      ...this.#tools,
      currentUser: () =>
        !this.session.changing && this.session.who.value.me === who.me ? who : nobody,
      store: this.store.bound(),
    }
  }

  #online(): void {
    this.stream?.connectNow()
    this.#lead?.updateStream()
    this.outbox.now?.wake()
    void this.endSessions().catch(warn)
  }

  #serverAnswered(): void {
    this.#refresh.recovered()
    void this.outbox.now?.serverAnswered().catch(warn)
  }

  #catchUp(): Promise<Unread | null> {
    return this.#refresh.catchUp(this.#ofUser(this.#signedIn?.catchUp))
  }

  /** None for a visitor. */
  #ofUser(needs: readonly Need[] = []): readonly Need[] {
    return this.#bound().currentUser().me === '' ? [] : needs
  }

  async #unauthorized(): Promise<boolean> {
    const { token } = this.session.authContext()
    const owner = await this.line.fetchTokenOwner()
    if (owner !== 'ended' || this.session.authContext().token !== token) return true
    if (token !== null) this.outbox.ended(token)
    return false
  }

  #address(lastEvent: string | null): string {
    const { token, language } = this.session.authContext()
    const query = new URLSearchParams({
      token: token ?? '',
      lang: language,
      ...(lastEvent === null ? {} : { last_event_id: lastEvent }),
    })
    return `${SOCKET_PATH}?${query}`
  }

  /** null unless the lists that events continue are stored: another tab may have deleted them. */
  async #lastEvent(): Promise<string | null> {
    const keys = this.#ofUser(this.#signedIn?.catchUp).map(({ key }) => key)
    const lists = await this.store.ownLists.findByIds([EVENTS, ...keys]).exec()
    return lists.size > keys.length ? (lists.get(EVENTS)?.cursor ?? null) : null
  }

  #keepLastEvent(id: string): Promise<void> {
    return this.#bound().store.ownLists.put([
      { ...emptyList(EVENTS), cursor: id, at: this.outside.now() },
    ])
  }
}

const nobody = { me: '\u0000', username: '', language: 'fr' } as const

function isQuestion(name: string): name is QuestionName {
  return Object.hasOwn(questions, name)
}

function warn(error: unknown): void {
  console.warn('engine', error)
}
