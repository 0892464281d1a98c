import { emptyList } from '#schema/disk/documents'
import type { EnginePort, SessionInput, EngineEvent } from '#schema/port/engine'
import { countsOf, isUnsent } from '#schema/disk/entry'
import { type DatabaseProblem, later, type Outcome, refused } from '#schema/port/outcome'
import { type Question, type QuestionName, questions } from '#schema/port/question'
import {
  type Request,
  type RequestAnswers,
  type RequestName,
  type RequestParams,
  requests,
} from '#schema/port/request'
import { LOGOUT_PATH } from '#schema/wire/session'
import { SOCKET_PATH } from '#schema/wire/socket'
import type { Members } from '#schema/tolerant'
import * as v from 'valibot'
import { createEphemeral } from './inbox/ephemeral.ts'
import type { receive } from './inbox/receive.ts'
import { createRefresh } from './inbox/refresh.ts'
import { createSeen } from './inbox/seen.ts'
import type { createStream, Stream } from './inbox/stream.ts'
import type { LeaderDuties } from './leader.ts'
import { createNetworkClient } from './network/networkClient.ts'
import { createMeter } from './network/meter.ts'
import type {
  CommandRules,
  Need,
  EphemeralHandler,
  QuestionRules,
  EventHandler,
  RequestRule,
  RequestRules,
  Tools,
} from './noun.ts'
import { createLazyOutbox } from './outbox/lazy.ts'
import type { DeviceDb } from './outbox/deviceDb.ts'
import type { Outside } from './outside.ts'
import { createSession } from './session.ts'
import { createAnswers } from './answers.ts'
import type { ManagedStore } from './store/store.ts'
import { Timer } from './within.ts'
import type { writes } from './writes.ts'

type Parts = Readonly<{
  outside: Outside
  device: DeviceDb
  writes: () => Promise<typeof writes>
  store: ManagedStore
  /** What visitors use; `more` loads the rest. */
  nouns: Nouns
  more?: () => Promise<Nouns>
  version: string
}>

export type Nouns = Readonly<{
  questions: QuestionRules
  commands: CommandRules
  requests: RequestRules
  signedIn?: SignedIn
}>

type SignedIn = Readonly<{
  events: Readonly<Record<string, EventHandler>>
  ephemeral: Readonly<Record<string, EphemeralHandler>>
  catchUp: readonly Need[]
  conversations: readonly Need[]
  stream: typeof createStream
  receive: typeof receive
}>

/** Its list document: the cursor is the last event that is stored completely. */
const EVENTS = 'events'
/** [SYNC 7] */
const AWAY_MS = 30_000
const LOAD_AGAIN_MS = 5000
const LOGOUT_MS = 4000

const nobody = { me: '\u0000', username: '', language: 'fr' } as const

export type Engine = ReturnType<typeof createEngine>

export function createEngine({ outside, device, writes, store, nouns, more, version }: Parts) {
  const drafts = async () => (await device.open()).drafts()
  let signedIn = nouns.signedIn
  let loadNouns = more
  let lead: LeaderDuties | null = null
  const watched = new Map<string, Question>()
  let seen = createSeen(device, '')
  let emit: (event: EngineEvent) => void = () => undefined
  let page: Omit<RequestParams<'page.state'>, 'online' | 'language'> = {
    visible: true,
    saveData: false,
    wifi: null,
  }
  const awayTimer = new Timer(outside)
  let isBackgroundAsked = false
  let sessionInput: SessionInput | null = null
  const meter = createMeter(outside, device)

  const isMemoryOnly = device.memoryOnly === true || store.state().memoryOnly
  const line = createNetworkClient(outside, meter, isMemoryOnly, () => session.current(), {
    changed: update,
    online() {
      stream?.connectNow()
      lead?.updateStream()
      outbox.now?.wake()
      void endSessions().catch(warn)
    },
    serverAnswered() {
      refresh.recovered()
      void outbox.now?.serverAnswered().catch(warn)
    },
    signedOut: (token) => outbox.ended(token),
  })

  const outbox = createLazyOutbox({
    outside,
    exists: device.exists,
    async make(shown) {
      const { createOutbox, createLeaderDuties, tableOn } = await writes()
      const loaded = createOutbox({
        outside,
        table: tableOn(device, outside.newId),
        shown,
        changed: outbox.changed,
        ended: outbox.ended,
        rules: rules.commands,
        tools: bound,
        input: () => sessionInput,
        send: line.send,
        usable: () => line.usable,
        wifi: () => page.wifi !== false,
        photo: async (id) => (await drafts()).photo(id),
        async makeRoom() {
          await outside.freeSpace()
          await store.makeRoom()
        },
      })
      lead = createLeaderDuties({
        outside,
        outbox: loaded,
        line,
        stream: () => stream,
        visibility: () => ({ ...page, away: !page.visible && !awayTimer.isRunning }),
      })
      return loaded
    },
    made() {
      if (session.entered) void takeUp(session.who.value.me)
    },
    ended: (token) => void session.end(token).catch(warn),
  })

  const session = createSession(outside, outbox, {
    fetchTokenOwner: line.fetchTokenOwner,
    async entering(owner) {
      lead?.leave()
      await Promise.all([store.enter(owner), owner === '' ? null : loadMore()])
    },
    entered(owner) {
      seen = createSeen(device, owner)
      return takeUp(owner)
    },
    ended: (token) => emit({ kind: 'session-ended', token }),
  })

  const tools: Tools = {
    store,
    http: line,
    currentUser: () => session.who.value,
    currentUser$: session.who,
    now: outside.now,
    network: line.facts,
    saveData: () => page.saveData,
    outbox: outbox.entries,
    unreadableEntries: outbox.unread,
    texts: outbox.texts,
    ephemeral: createEphemeral(outside),
    refetchQuestion(name, params) {
      for (const need of rules.questions[name]?.needs(params, tools) ?? []) refresh.schedule(need)
    },
    drafts,
    echoed: async (id, body) => outbox.now?.echoed(id, body),
    endedSessionOwner: async () => (await outbox.now?.read())?.meta.lapsed ?? '',
    /** If the disk fails the data stays: the user id is never reused. */
    async eraseOwnData() {
      const { me } = session.who.value
      try {
        await (await outbox.load()).erase(me)
        await (await drafts()).removeAllOf(me)
      } catch (error) {
        warn(error)
      }
    },
    rememberSession: session.remember,
    scheduleRefetch: (need) => refresh.schedule(need),
  }

  const refresh = createRefresh({ tools: bound, store, outside, failed: warn })

  const engine = {
    outside,
    outbox,
    session,
    line,
    meter,

    async connect(emitEvent) {
      emit = emitEvent
      if (store.state().outdated || line.facts.value.databaseProblem === 'newer')
        emit({ kind: 'outdated' })
      emitWaits()
    },

    hold(problem: DatabaseProblem) {
      line.setFacts({ databaseProblem: problem })
      // A tab with the newer version leads instead.
      if (problem === 'newer') lead?.leave()
    },

    async watch(key, question) {
      if (!isQuestion(question.name) || !v.is(questions[question.name], question.params))
        return emit({ kind: 'problem', code: 'invalid', detail: question.name })
      watched.set(key, question)
      // Never answer for another account.
      await session.settled()
      if (watched.get(key) === question) answers.watch(key, question)
    },

    async unwatch(key) {
      watched.delete(key)
      answers.unwatch(key)
    },

    async send(command) {
      const before = sessionInput
      await session.settled()
      if (rules.commands[command.name] === undefined) await loadMore()
      // Nothing runs for another account.
      const isAnother =
        before?.token !== sessionInput?.token ||
        (before?.token != null && session.who.value.me === '')
      if (isAnother) return { kind: 'refused', code: 'not_authenticated', field: null }
      const loaded = await outbox.load().catch(warn)
      return loaded ? loaded.send(command) : { kind: 'unstorable', why: 'unloaded' }
    },

    async ask<N extends RequestName>(request: Request<N>): Promise<Outcome<RequestAnswers[N]>> {
      if (rules.requests[request.name] === undefined) await loadMore()
      const rule: RequestRule<N> | undefined = rules.requests[request.name]
      if (!rule || !v.is(requests[request.name], request.params)) return refused('invalid', 400)
      try {
        const reply = await rule(request.params, tools)
        return reply.kind === 'unchanged' ? later('server', true) : reply
      } catch (error) {
        warn(error)
        return later('storage', false)
      }
    },

    async setSession(input) {
      sessionInput = input
      // Together: one after the other takes two round trips.
      if (input.token !== null) {
        void loadMore()
        void outbox.load().catch(warn)
      }
      const before = session.current().token
      await session.enter(input)
      void outbox.now?.inform().catch(warn)
      if (input.token !== before) stream?.allow()
    },

    /** A database may be empty: restores this tab's outbox (firstWrite.ts) and its documents. */
    async reopened() {
      await outbox.now?.settle()
    },

    async close() {
      lead?.leave()
      stream?.close()
      answers.close()
      line.close()
      session.close()
      outbox.close()
      await store.close()
    },
  } satisfies Omit<EnginePort, 'ping'> & Record<string, unknown>

  /** Entries of another user must not be changed. */
  async function ownOutbox() {
    await session.settled()
    return outbox.load()
  }

  const ownRequests: RequestRules = {
    'outbox.retry': async ({ id }) => done((await ownOutbox()).retry(id)),
    'outbox.edit': async ({ id, content }) => amended(await (await ownOutbox()).edit(id, content)),
    'outbox.wifi': async ({ id, wifiOnly }) => done((await ownOutbox()).wifi(id, wifiOnly)),
    'outbox.remove': async ({ id }) => amended(await (await ownOutbox()).remove(id)),
    'draft.keep': async ({ key, content }) => done((await outbox.load()).keepText(key, content)),
    'conversation.typing': ({ conversation, active }) =>
      done(stream?.send({ type: 'typing', conversation, active })),
    'data.refresh': async ({ name, params }) => {
      if (isQuestion(name) && v.is(questions[name], params)) await answers.again({ name, params })
      return done()
    },
    /** [S2.48] */
    'data.clear': async () => {
      await store.clear()
      stream?.renew()
      return done(outbox.now?.settle())
    },
    'page.state': (next) => {
      const before = page
      page = next
      if (next.visible) awayTimer.stop()
      else if (before.visible) {
        // The browser may end a hidden page without notice.
        void meter.write().catch(() => undefined)
        awayTimer.start(AWAY_MS, update)
      }
      line.page(next.online, next.visible)
      // The page may have missed the last count.
      emitWaits()
      return done(update())
    },
    'page.fetched': ({ sent, received }) => done(meter.add(sent, received)),
    /** A push has only part of an event; a socket delivers all of it. */
    'push.received': async () => {
      if (line.facts.value.leader && stream?.live !== true) await catchUp()
      return done()
    },
    'account.logout': async () => {
      const { token } = session.current()
      const { me: owner } = session.who.value
      await session.leave()
      // The same user may have signed in again meanwhile.
      if (owner !== '' && owner !== session.who.value.me) await store.forget(owner)
      if (token !== null) await endSessions(token)
      return done()
    },
    stats: async () => {
      await session.settled()
      const { leader, socket } = line.facts.value
      return {
        kind: 'done',
        answer: {
          counts: await store.counts(),
          outbox: countsOf(outbox.entries.value),
          bytes: await meter.today(),
          month: await meter.month(),
          storage: await outside.estimate(),
          leader,
          socket,
          versions: { app: version },
        },
      }
    },
  }

  const rules: Nouns = {
    questions: { ...nouns.questions },
    commands: { ...nouns.commands },
    requests: { ...ownRequests, ...nouns.requests },
  }
  const answers = createAnswers(rules.questions, tools, refresh, outside.setTimer, (key, frame) =>
    emit({ kind: 'frame', key, frame }),
  )
  let stream = streamOf(nouns)

  outbox.entries.subscribe((entries) => {
    const waiting = entries.filter((entry) => !entry.low && isUnsent(entry)).length
    line.setFacts({ waiting })
    askBackground()
    emitWaits()
  })
  if (device.held) engine.hold(device.held)
  return engine

  function streamOf({ signedIn }: Nouns): Stream | null {
    if (!signedIn) return null
    return signedIn.stream(outside, {
      bytes: meter.add,
      address(lastEvent) {
        const { token, language } = session.current()
        const query = new URLSearchParams({
          token: token ?? '',
          lang: language,
          ...(lastEvent === null ? {} : { last_event_id: lastEvent }),
        })
        return `${SOCKET_PATH}?${query}`
      },
      state: (socket) => line.setFacts({ socket }),
      // Null unless all lists are stored: another tab may have deleted them.
      async lastEvent() {
        const keys = ofUser(signedIn.catchUp).map(({ key }) => key)
        const lists = await store.ownLists.findByIds([EVENTS, ...keys]).exec()
        return lists.size > keys.length ? (lists.get(EVENTS)?.cursor ?? null) : null
      },
      keepLastEvent: (id) =>
        bound().store.ownLists.put([{ ...emptyList(EVENTS), cursor: id, at: outside.now() }]),
      event: take,
      ephemeral: (frame) => signedIn.ephemeral[String(frame['type'])]?.(frame, tools),
      catchUp,
      poll: (what) =>
        what === 'everything' ? catchUp() : refresh.catchUp(ofUser(signedIn.conversations)),
      async unauthorized() {
        const { token } = session.current()
        const owner = await line.fetchTokenOwner()
        if (owner !== 'ended' || session.current().token !== token) return true
        if (token !== null) outbox.ended(token)
        return false
      },
    })
  }

  /** [SYNC 7] */
  async function take(frame: Members) {
    if (!signedIn) return
    const own = bound()
    const { events, receive } = signedIn
    const notified = await receive(frame, outside.now(), seen, async (event, whole) => {
      const result = await events[event.event]?.(event, whole, own)
      const also = await events['*']?.(event, whole, own)
      return result?.notified ?? also?.notified ?? null
    })
    if (notified !== null) emit({ kind: 'notified', id: notified })
  }

  async function endSessions(...tokens: readonly string[]) {
    const sessions = outbox.now?.sessions
    const kept = (await sessions?.toRevoke().catch(() => [])) ?? []
    for (const token of new Set([...tokens, ...kept])) {
      // oxlint-disable-next-line no-await-in-loop -- usually there is only one
      const reply = await line.send({
        call: { method: 'POST', path: LOGOUT_PATH },
        body: {},
        authContext: { ...session.current(), token },
        deadlineMs: LOGOUT_MS,
      })
      if (reply.kind === 'later') return
      // oxlint-disable-next-line no-await-in-loop
      await sessions?.revoked(token)
    }
  }

  async function loadMore() {
    try {
      const all = await loadNouns?.()
      if (!all || !loadNouns) return
      loadNouns = undefined
      signedIn = all.signedIn
      stream ??= streamOf(all)
      for (const kind of ['questions', 'commands', 'requests'] as const)
        Object.assign(rules[kind], all[kind])
      // A copy replaces a question that still waits for the session.
      for (const [key, question] of watched)
        if (nouns.questions[question.name] === undefined) void engine.watch(key, { ...question })
    } catch (error) {
      warn(error)
      outside.setTimer(LOAD_AGAIN_MS, () => void loadMore().then(() => outbox.now?.refresh()))
    }
  }

  async function takeUp(owner: string) {
    const loaded = outbox.now
    const read = loaded?.refresh()
    if (line.facts.value.databaseProblem !== 'newer') lead?.enter(owner)
    update()
    void loaded?.settle()
    void endSessions().catch(warn)
    // Answers from now on are of the new user.
    await read
  }

  function update() {
    refresh.allow(page.visible && line.usable)
    askBackground()
    lead?.visibilityChanged()
    outbox.now?.wake()
  }

  function askBackground() {
    const waits = line.facts.value.waiting > 0 && (!line.usable || !page.visible)
    if (waits && !isBackgroundAsked) outside.askBackground()
    isBackgroundAsked = waits
  }

  /** By this count the page notices that the browser deleted the databases. */
  function emitWaits() {
    const { now, entries } = outbox
    const born = now?.born ?? ''
    if (born === '' || session.changing) return
    const { me: owner } = session.who.value
    const own = entries.value.filter(
      (entry) => entry.owner === owner && !entry.low && entry.state !== 'acknowledged',
    )
    const messages = own.filter(({ lane }) => lane.startsWith('conversation:')).length
    emit({ kind: 'waits', owner, born, count: own.length, messages })
  }

  /** Bound to the current account: writes fail after a switch. */
  function bound(): Tools {
    const who = session.changing ? nobody : session.who.value
    return {
      ...tools,
      currentUser: () => (!session.changing && session.who.value.me === who.me ? who : nobody),
      store: store.bound(),
    }
  }

  function catchUp() {
    return refresh.catchUp(ofUser(signedIn?.catchUp))
  }

  function ofUser(needs: readonly Need[] = []) {
    return bound().currentUser().me === '' ? [] : needs
  }
}

async function done(work?: void | Promise<void>): Promise<Outcome<null>> {
  await work
  return { kind: 'done', answer: null }
}

function amended(code: string | null) {
  return code === null ? done() : refused(code, 409)
}

function isQuestion(name: string): name is QuestionName {
  return Object.hasOwn(questions, name)
}

function warn(error: unknown) {
  console.warn('engine', error)
}
