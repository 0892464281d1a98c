import { POLL_BASE_MS, POLL_MAX_MS, POLL_MIN_MS } from '#schema/limits'
import { parsed } from '#schema/parsed'
import type { NetworkFacts } from '#schema/port/question'
import type { Members } from '#schema/tolerant'
import { resumed, resync, hello } from '#schema/wire/socket'
import * as v from 'valibot'
import type { Outside } from '../outside.ts'
import { Timer } from '../within.ts'
import type { Unanswered } from './refresh.ts'
import { retryIn } from '../network/backoff.ts'
import { createSocket } from '../network/socket.ts'

/** Only while there is no socket and the app is visible [S4.11]. */
export type Polled = 'everything' | 'conversations'

interface StreamWork {
  bytes(sent: number, received: number): void
  address(lastEvent: string | null): string
  state(state: NetworkFacts['socket']): void
  lastEvent(): Promise<string | null>
  keepLastEvent(id: string): Promise<void>
  event(frame: Members): Promise<void>
  ephemeral(frame: Members): void
  catchUp(): Promise<Unanswered | null>
  poll(what: Polled): Promise<unknown>
  unauthorized(): Promise<boolean>
}

/** Without `hello` or `resumed` in time, changes are fetched. */
const HELLO_MS = 2000
const RESUMED_MS = 15_000

export type Stream = ReturnType<typeof createStream>

/** Each connection catches up first; events wait meanwhile [SYNC 7]. */
export function createStream(outside: Outside, work: StreamWork) {
  const pollTimer = new Timer(outside)
  const catchUpTimer = new Timer(outside)
  const restTimer = new Timer(outside)
  const socket = createSocket(outside, {
    bytes: work.bytes,
    async address() {
      from = await work.lastEvent()
      return work.address(from)
    },
    state(state) {
      work.state(state)
      schedulePoll()
    },
    opened() {
      isCaughtUp = false
      // The catch-up comes before events, even if it fails.
      catchUpIn(HELLO_MS)
    },
    frame: onFrame,
    lost() {
      turn += 1
      closes += 1
      catchUpTimer.stop()
      restTimer.stop()
      fetchRest = null
    },
    unauthorized: work.unauthorized,
  })
  let polls: Polled | null = null
  let saveData = false
  let closes = 0
  let queue = Promise.resolve()
  /** Work of an earlier connection has no effect. */
  let turn = 0
  let from: string | null = null
  let isCaughtUp = false
  let fetchRest: (() => void) | null = null

  function catchUpIn(ms: number) {
    catchUpTimer.start(ms, () => catchUp(null))
  }

  function onFrame(frame: Members) {
    switch (frame['type']) {
      case 'hello': {
        const greeting = parsed(hello, frame)
        if (greeting === null) return
        if (from === null) catchUp(greeting.last_event_id)
        else catchUpIn(RESUMED_MS)
        return
      }
      case 'resumed':
        if (!v.is(resumed, frame)) return
        catchUpTimer.stop()
        inTurn(async () => caughtUp())
        return
      case 'resync': {
        const message = parsed(resync, frame)
        if (message !== null) catchUp(message.last_event_id)
        return
      }
      case 'typing':
        return work.ephemeral(frame)
      case 'error':
        return
      default:
        onEvent(frame)
    }
  }

  /** A failure reconnects, so that the server sends it again. */
  function onEvent(frame: Members) {
    const began = turn
    inTurn(async () => {
      if (began !== turn) return
      await work.event(frame)
      const id = frame['event_id']
      // A position to resume from has all earlier events stored.
      if (typeof id === 'string' && began === turn && (isCaughtUp || from !== null))
        await work.keepLastEvent(id)
    })
  }

  function catchUp(upTo: string | null) {
    catchUpTimer.stop()
    const began = turn
    // Events before `resync` are not contiguous with those after it.
    from = null
    inTurn(async () => {
      if (began === turn) await finish(began, upTo, await work.catchUp(), 0)
    })
  }

  /** The rest has its own backoff, and events do not wait for it. */
  async function finish(
    began: number,
    upTo: string | null,
    rest: Unanswered | null,
    failures: number,
  ) {
    if (began !== turn) return
    if (rest === null) {
      if (upTo !== null) await work.keepLastEvent(upTo)
      return caughtUp()
    }
    fetchRest = () => {
      restTimer.stop()
      fetchRest = null
      inTurn(async () => finish(began, upTo, await rest.again(), failures + 1))
    }
    restTimer.start(Math.max(rest.waitMs, retryIn(failures, outside.random(), null)), fetchRest)
  }

  function caughtUp() {
    isCaughtUp = true
    socket.resetBackoff()
  }

  function inTurn(step: () => Promise<void>) {
    const began = turn
    queue = queue.then(step).catch((error: unknown) => {
      console.warn('stream', error)
      if (began === turn) socket.renew()
    })
  }

  /** [S4.09, S9.14, D13] */
  function schedulePoll() {
    if (polls === null || socket.live) return pollTimer.stop()
    if (pollTimer.isRunning) return
    pollTimer.start(saveData ? POLL_MAX_MS : pollIn(closes), () => {
      if (polls !== null) void work.poll(polls)
      schedulePoll()
    })
  }

  function want(wanted: boolean, polled: Polled | null, savesData = false) {
    if (savesData !== saveData) pollTimer.stop()
    saveData = savesData
    polls = wanted ? polled : null
    socket.want(wanted, savesData)
    schedulePoll()
  }

  return {
    want,
    send: socket.send,
    get live() {
      return socket.live
    },
    connectNow() {
      socket.connectNow()
      fetchRest?.()
    },
    /** After a sign-in: new data is not polled later than at first [D13]. */
    allow() {
      closes = 0
      pollTimer.stop()
      schedulePoll()
      socket.allow()
    },
    renew: socket.renew,
    close: () => want(false, null),
  }
}

/** [S9.14, D13] */
export function pollIn(closes: number) {
  return Math.min(POLL_MAX_MS, Math.max(POLL_MIN_MS, POLL_BASE_MS * 1.5 ** Math.min(closes, 10)))
}
