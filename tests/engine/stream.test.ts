import type { Unanswered } from '#sync/inbox/refresh'
import { createStream, type Polled, pollIn, type Stream } from '#sync/inbox/stream'
import type { Outside, SocketCallbacks } from '#sync/outside'
import { expect, test } from 'vitest'
import { World } from './model/world.ts'

type Frame = Readonly<Record<string, unknown>>

/** A stream in virtual time, with the server's end of its sockets. */
class StreamHarness {
  readonly world = new World(1)
  readonly sockets: {
    readonly at: number
    readonly path: string
    readonly callbacks: SocketCallbacks
    readonly sent: Frame[]
  }[] = []
  readonly taken: string[] = []
  readonly states: string[] = []
  lastEvent: string | null = null
  caughtUp = 0
  failing = 0
  readonly polled: Polled[] = []
  knownToken = true
  broken: string | null = null
  answersPings = false
  readonly stream: Stream

  constructor() {
    const outside: Pick<Outside, 'now' | 'setTimer' | 'random' | 'openSocket'> = {
      now: () => this.world.now,
      setTimer: (ms, what) => this.world.after(ms, what),
      random: () => 0,
      openSocket: (path, callbacks) => {
        const sent: Frame[] = []
        this.sockets.push({ at: this.world.now, path, callbacks, sent })
        return {
          send: (text) => {
            sent.push(JSON.parse(text))
            if (this.answersPings) this.world.after(1, () => callbacks.onMessage('{"type":"pong"}'))
          },
          close: () => undefined,
        }
      },
    }
    this.stream = createStream(
      {
        ...outside,
        newId: () => '',
        origin: '',
        fetch: () => Promise.reject(new Error('unused')),
        upload: () => Promise.reject(new Error('unused')),
        measure: () => () => null,
        lock: () => Promise.resolve(null),
        channel: () => ({ post: () => undefined, close: () => undefined }),
        askBackground: () => undefined,
        freeSpace: () => Promise.resolve(),
        estimate: () => Promise.resolve({ usage: 0, quota: 0 }),
      },
      {
        bytes: () => undefined,
        address: (last) => `/ws?last=${last ?? ''}`,
        state: (state) => void this.states.push(state),
        lastEvent: () => Promise.resolve(this.lastEvent),
        keepLastEvent: async (id) => void (this.lastEvent = id),
        event: async (frame) => {
          if (frame['event_id'] === this.broken) throw new Error('the disk failed')
          this.taken.push(String(frame['event_id']))
        },
        ephemeral: () => undefined,
        catchUp: async () => {
          this.caughtUp += 1
          await new Promise<void>((resolve) => void this.world.after(100, resolve))
          this.taken.push('caught up')
          return this.#rest()
        },
        poll: async (what) => void this.polled.push(what),
        unauthorized: () => Promise.resolve(this.knownToken),
      },
    )
  }

  #rest(): Unanswered | null {
    return this.failing-- <= 0 ? null : { waitMs: 5000, again: async () => this.#again() }
  }

  #again(): Unanswered | null {
    this.taken.push('caught up')
    return this.#rest()
  }

  get socket(): (typeof this.sockets)[number] {
    const last = this.sockets.at(-1)
    if (!last) throw new Error('nothing was dialled')
    return last
  }

  async open(): Promise<void> {
    this.stream.want(true, 'everything')
    await this.world.run(1)
    this.socket.callbacks.onOpen()
  }

  pongs(): void {
    this.answersPings = true
  }

  async receive(frame: Frame, ms = 1): Promise<void> {
    this.socket.callbacks.onMessage(JSON.stringify(frame))
    await this.world.run(ms)
  }
}

const hello = (last: string | null): Frame => ({
  type: 'hello',
  server_time: '2026-01-01T00:00:00Z',
  user_id: 'U1',
  last_event_id: last,
  heartbeat_s: 25,
  timeout_s: 60,
})
const event = (id: string): Frame => ({ event: 'conversation.updated', event_id: id })

test('the first connect catches up, then streams; events that arrive meanwhile wait', async () => {
  const harness = new StreamHarness()
  await harness.open()
  await harness.receive(hello('E5'))
  await harness.receive(event('E6'))
  expect(harness.taken).toEqual([])
  await harness.world.run(200)
  expect(harness.taken).toEqual(['caught up', 'E6'])
  expect(harness.lastEvent).toBe('E6')
})

test('a resume replays events, and nothing is fetched again', async () => {
  const harness = new StreamHarness()
  harness.lastEvent = 'E3'
  await harness.open()
  expect(harness.socket.path).toBe('/ws?last=E3')
  await harness.receive(hello('E5'))
  await harness.receive(event('E4'))
  await harness.receive(event('E5'))
  await harness.receive({ type: 'resumed', replayed: 2, last_event_id: 'E5' })
  await harness.world.run(30_000)
  expect([harness.caughtUp, harness.taken, harness.lastEvent]).toEqual([0, ['E4', 'E5'], 'E5'])
})

test('resync fetches what changed, and streams from there', async () => {
  const harness = new StreamHarness()
  harness.lastEvent = 'E3'
  await harness.open()
  await harness.receive(hello('E9'))
  await harness.receive({ type: 'resync', reason: 'too_many', last_event_id: 'E9' }, 200)
  expect([harness.caughtUp, harness.lastEvent]).toEqual([1, 'E9'])
})

test('with a server without hello, changes are fetched at each connect', async () => {
  const harness = new StreamHarness()
  harness.lastEvent = 'E3'
  await harness.open()
  await harness.world.run(3000)
  expect(harness.caughtUp).toBe(1)
})

test('an event that cannot be stored is requested again on another connection', async () => {
  const harness = new StreamHarness()
  harness.lastEvent = 'E3'
  harness.broken = 'E5'
  await harness.open()
  await harness.receive(hello('E5'))
  await harness.receive(event('E4'))
  await harness.receive(event('E5'))
  await harness.receive(event('E6'))
  expect([harness.taken, harness.lastEvent]).toEqual([['E4'], 'E4'])
  await harness.world.run(1000)
  expect(harness.socket.path).toBe('/ws?last=E4')
})

test('[S4.09][S9.13] reconnects forever with a wait that doubles to 15 s; a good connection resets it', async () => {
  const harness = new StreamHarness()
  await harness.open()
  for (let n = 0; n < 8; n++) {
    harness.socket.callbacks.onClose(1006)
    await harness.world.run(15_001)
  }
  const waits = harness.sockets.map(({ at }) => at)
  expect(harness.sockets).toHaveLength(9)
  expect(waits[1]).toBeLessThan(1000)
  harness.socket.callbacks.onOpen()
  await harness.receive(hello(null), 200)
  harness.socket.callbacks.onClose(1012)
  const before = harness.world.now
  await harness.world.run(1000)
  expect(harness.socket.at - before).toBeLessThanOrEqual(501)
})

test('[S4.10][S9.12] pings every 25 s; without a pong for 10 s the connection is closed', async () => {
  const harness = new StreamHarness()
  await harness.open()
  await harness.receive(hello(null), 200)
  await harness.world.run(25_000)
  expect(harness.socket.sent).toMatchObject([{ type: 'ping' }])
  await harness.receive({ type: 'pong', server_time: '2026-01-01T00:00:00Z' })
  await harness.world.run(24_000)
  expect(harness.sockets).toHaveLength(1)
  await harness.world.run(13_000)
  expect(harness.sockets).toHaveLength(2)
})

test('[S4.10] a server that said hello answers pings: without a first pong the connection is closed', async () => {
  const harness = new StreamHarness()
  await harness.open()
  await harness.receive(hello(null), 200)
  await harness.world.run(36_000)
  expect(harness.sockets).toHaveLength(2)
})

test('[API 19]: a server without hello that never sent a pong is not taken for dead', async () => {
  const harness = new StreamHarness()
  await harness.open()
  await harness.receive(event('E1'), 200)
  await harness.world.run(120_000)
  expect(harness.sockets).toHaveLength(1)
})

test('a silent connection is held longer each time before it is closed', async () => {
  const harness = new StreamHarness()
  await harness.open()
  for (let n = 0; n < 5; n++) {
    await harness.world.run(1)
    const sockets = harness.sockets.length
    harness.socket.callbacks.onOpen()
    await harness.world.run(10_000 * 2 ** n - 1)
    expect(harness.sockets).toHaveLength(sockets)
    await harness.world.run(17_000)
    expect(harness.sockets).toHaveLength(sockets + 1)
  }
})

test('a failed catch-up resumes on the same connection, and events are applied meanwhile', async () => {
  const harness = new StreamHarness()
  harness.pongs()
  harness.failing = 3
  await harness.open()
  await harness.receive(hello('E5'))
  await harness.receive(event('E6'), 1000)
  expect([harness.taken, harness.lastEvent]).toEqual([['caught up', 'E6'], null])
  await harness.world.run(600_000)
  expect([harness.sockets.length, harness.lastEvent]).toEqual([1, 'E5'])
})

test('[S9.13] a connection without a finished catch-up does not reset the backoff', async () => {
  const harness = new StreamHarness()
  harness.failing = 1000
  await harness.open()
  for (let n = 0; n < 5; n++) {
    await harness.receive(hello('E5'), 5000)
    harness.socket.callbacks.onClose(1006)
    await harness.world.run(15_001)
    harness.socket.callbacks.onOpen()
  }
  const from = harness.world.now
  harness.socket.callbacks.onClose(1006)
  await harness.world.run(14_000)
  expect(harness.socket.at).toBeLessThan(from)
})

test.each([
  [4403, 600_000, 1],
  [4409, 600_000, 1],
  [4429, 14_000, 1],
  [4429, 16_000, 2],
  [4400, 1000, 2],
] as const)('close code %i: after %i ms there were %i sockets', async (code, ms, times) => {
  const harness = new StreamHarness()
  await harness.open()
  harness.socket.callbacks.onClose(code)
  await harness.world.run(ms)
  expect(harness.sockets).toHaveLength(times)
})

test('after close code 4409 it sockets again once somebody looks', async () => {
  const harness = new StreamHarness()
  await harness.open()
  harness.socket.callbacks.onClose(4409)
  await harness.world.run(1000)
  harness.stream.connectNow()
  await harness.world.run(10)
  expect(harness.sockets).toHaveLength(2)
})

test.each([
  [true, 2],
  [false, 1],
] as const)(
  'after close code 4401 auth/me decides whether to connect again (%s)',
  async (known, times) => {
    const harness = new StreamHarness()
    harness.knownToken = known
    await harness.open()
    harness.socket.callbacks.onClose(4401)
    await harness.world.run(2000)
    expect(harness.sockets).toHaveLength(times)
  },
)

test('[S4.08][S4.11][S9.14] polls while the page is visible and has no socket, and stops once it opens', async () => {
  const harness = new StreamHarness()
  harness.stream.want(true, 'everything')
  await harness.world.run(119_000)
  expect(harness.polled).toEqual([])
  await harness.world.run(2000)
  expect(harness.polled).toEqual(['everything'])
  harness.socket.callbacks.onOpen()
  harness.pongs()
  await harness.receive(hello('E1'), 600_000)
  expect([harness.polled.length, harness.caughtUp]).toEqual([1, 1])
})

test('[S4.11] a hidden page does not poll', async () => {
  const harness = new StreamHarness()
  harness.stream.want(true, null)
  await harness.world.run(600_000)
  expect(harness.polled).toEqual([])
})

test('[S4.11][S9.14] the messages screen polls conversations only, and seldom with data saver', async () => {
  const harness = new StreamHarness()
  harness.stream.want(true, 'conversations')
  await harness.world.run(600_001)
  expect(harness.polled).toEqual(Array.from({ length: 5 }, () => 'conversations'))
  harness.stream.want(true, 'conversations', true)
  await harness.world.run(600_001)
  expect(harness.polled).toHaveLength(7)
})

test('with data saver a lost connection is dialled after five minutes, or at once when visible', async () => {
  const harness = new StreamHarness()
  harness.stream.want(true, 'everything', true)
  await harness.world.run(1)
  harness.socket.callbacks.onClose(1006)
  await harness.world.run(299_000)
  expect(harness.sockets).toHaveLength(1)
  await harness.world.run(2000)
  expect(harness.sockets).toHaveLength(2)
  harness.socket.callbacks.onClose(1006)
  await harness.world.run(60_000)
  harness.stream.connectNow()
  await harness.world.run(1)
  expect(harness.sockets).toHaveLength(3)
})

test('[S9.14] polls after 90 s times 1.5 for each close, within 120 and 300 s [D13]', () => {
  expect([0, 1, 2, 3, 4, 100].map(pollIn)).toEqual([
    120_000, 135_000, 202_500, 300_000, 300_000, 300_000,
  ])
})
