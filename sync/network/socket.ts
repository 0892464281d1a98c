import { HEARTBEAT_MS, POLL_MAX_MS, PONG_MS, SILENT_SOCKET_MS } from '#schema/limits'
import type { NetworkFacts } from '#schema/port/question'
import { isMembers, type Members } from '#schema/members'
import { jsonOf } from '#schema/parsed'
import { CLOSE } from '#schema/wire/socket'
import type { SocketConnection, Outside } from '../outside.ts'
import { Timer } from '../within.ts'
import { reconnectIn } from './backoff.ts'
import { FRAME_BYTES, HANDSHAKE_BYTES, textBytes } from './size.ts'

interface SocketEvents {
  bytes(sent: number, received: number): void
  address(): Promise<string>
  state(state: NetworkFacts['socket']): void
  opened(): void
  frame(frame: Members): void
  lost(): void
  unauthorized(): Promise<boolean>
}

const TOO_MANY_FRAMES_MS = 15_000

/** [S4.08] to [S4.10], [API 14] */
export function createSocket(outside: Outside, events: SocketEvents) {
  const silence = new Timer(outside)
  const ping = new Timer(outside)
  const pongDeadline = new Timer(outside)
  const retry = new Timer(outside)
  let isWanted = false
  let saveData = false
  /** Until the next sign-in, or until the app becomes visible again. */
  let blockedUntil: 'no' | 'sign-in' | 'front' = 'no'
  let connection: SocketConnection | null = null
  let connectionNumber = 0
  let connectedAt = Number.NEGATIVE_INFINITY
  let isOpen = false
  let gotFrame = false
  /** Ours says hello; a simpler server is trusted after a pong [API 19]. */
  let pongs = false
  let attempt = 0
  let quickConnects = 0
  let silences = 0

  async function connect() {
    if (!isWanted || connection || blockedUntil !== 'no') return
    connectedAt = outside.now()
    const number = ++connectionNumber
    events.state('connecting')
    const address = await events.address()
    if (number !== connectionNumber || !isWanted) return
    connection = outside.openSocket(address, {
      onOpen() {
        events.bytes(HANDSHAKE_BYTES.sent + address.length, HANDSHAKE_BYTES.received)
        if (number === connectionNumber) opened()
      },
      onMessage(text) {
        events.bytes(0, FRAME_BYTES.received + textBytes(text))
        if (number === connectionNumber) onFrame(text)
      },
      onClose: (code) => ended(number, code),
    })
  }

  function connectIn(ms: number) {
    retry.stop()
    if (ms === 0) void connect()
    else retry.start(ms, () => void connect())
  }

  /** The backoff limits repeated calls, for a flickering network. */
  function connectNow() {
    if (blockedUntil === 'front') blockedUntil = 'no'
    if (!isWanted || connection) return
    const since = outside.now() - connectedAt
    const left =
      quickConnects === 0 || since < 0 ? 0 : Math.max(0, reconnectIn(quickConnects - 1, 0) - since)
    if (left > 0 && retry.isRunning) return
    quickConnects += 1
    connectIn(left)
  }

  function opened() {
    isOpen = true
    gotFrame = false
    // Longer each time: a simpler server may have nothing to send.
    silence.start(Math.min(POLL_MAX_MS, SILENT_SOCKET_MS * 2 ** Math.min(silences, 10)), () => {
      silences += 1
      renew()
    })
    schedulePing()
    events.state('open')
    events.opened()
  }

  function schedulePing() {
    ping.start(HEARTBEAT_MS, () => {
      send({ type: 'ping', ts: outside.now() })
      if (pongs && gotFrame) pongDeadline.start(PONG_MS, renew)
      schedulePing()
    })
  }

  function send(frame: Members) {
    if (!isOpen) return
    const text = JSON.stringify(frame)
    events.bytes(FRAME_BYTES.sent + textBytes(text), 0)
    connection?.send(text)
  }

  function onFrame(text: string) {
    const frame = jsonOf(text)
    if (!isMembers(frame)) return
    silence.stop()
    pongDeadline.stop()
    silences = 0
    if (frame['type'] === 'pong' || frame['type'] === 'hello') pongs = true
    if (!gotFrame) {
      gotFrame = true
      events.state('open')
    }
    if (frame['type'] !== 'pong') events.frame(frame)
  }

  function renew() {
    if (isOpen) ended(connectionNumber, 1006)
  }

  function ended(number: number, code: number) {
    if (number !== connectionNumber) return
    disconnect()
    if (isWanted) void reconnect(code)
  }

  async function reconnect(code: number) {
    if (code === CLOSE.suspended) return blockUntil('sign-in')
    if (code === CLOSE.tooManySockets) return blockUntil('front')
    if (code === CLOSE.signedOut) {
      const number = connectionNumber
      const again = await events.unauthorized()
      if (number !== connectionNumber) return
      if (!again) return blockUntil('sign-in')
    }
    const backoff =
      code === CLOSE.tooManyFrames ? TOO_MANY_FRAMES_MS : reconnectIn(attempt, outside.random())
    attempt += 1
    connectIn(saveData ? POLL_MAX_MS : backoff)
  }

  function blockUntil(until: 'sign-in' | 'front') {
    blockedUntil = until
    events.state('closed')
  }

  function disconnect() {
    const was = isOpen
    connectionNumber += 1
    isOpen = gotFrame = false
    for (const timer of [silence, ping, pongDeadline]) timer.stop()
    connection?.close()
    connection = null
    events.state(isWanted ? 'connecting' : 'closed')
    if (was) events.lost()
  }

  /** Once the catch-up is complete [S9.13]. */
  function resetBackoff() {
    attempt = quickConnects = 0
  }

  return {
    connectNow,
    send,
    renew,
    resetBackoff,

    get live() {
      return isOpen && gotFrame
    },
    want(wanted: boolean, savesData: boolean) {
      saveData = savesData
      if (wanted === isWanted) return
      isWanted = wanted
      if (wanted) connectNow()
      else disconnect()
    },
    /** The server blocked the previous session. */
    allow() {
      blockedUntil = 'no'
      resetBackoff()
      if (isWanted && !connection) connectIn(0)
    },
  }
}
