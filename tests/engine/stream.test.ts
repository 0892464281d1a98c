import type { Unread } from '#sync/inbox/refresh'
import { type Polled, pollIn, Stream } from '#sync/inbox/stream'
import type { Outside, SocketCallbacks } from '#sync/outside'
import { expect, test } from 'vitest'
import { World } from './model/world.ts'

type Frame = Readonly<Record<string, unknown>>

/** A stream in virtual time, with the server's end of its sockets. */
class Line {
  readonly world = new World(1)
  readonly dials: {
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
        this.dials.push({ at: this.world.now, path, callbacks, sent })
        return {
          send: (text) => {
            sent.push(JSON.parse(text))
            if (this.answersPings) this.world.after(1, () => callbacks.onMessage('{"type":"pong"}'))
          },
          close: () => undefined,
        }
      },
    }
    this.stream = new Stream(
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

  #rest(): Unread | null {
    return this.failing-- <= 0 ? null : { waitMs: 5000, again: async () => this.#again() }
  }

  #again(): Unread | null {
    this.taken.push('caught up')
    return this.#rest()
  }

  get socket(): (typeof this.dials)[number] {
    const last = this.dials.at(-1)
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
  const line = new Line()
  await line.open()
  await line.receive(hello('E5'))
  await line.receive(event('E6'))
  expect(line.taken).toEqual([])
  await line.world.run(200)
  expect(line.taken).toEqual(['caught up', 'E6'])
  expect(line.lastEvent).toBe('E6')
})

test('a resume replays events, and nothing is fetched again', async () => {
  const line = new Line()
  line.lastEvent = 'E3'
  await line.open()
  expect(line.socket.path).toBe('/ws?last=E3')
  await line.receive(hello('E5'))
  await line.receive(event('E4'))
  await line.receive(event('E5'))
  await line.receive({ type: 'resumed', replayed: 2, last_event_id: 'E5' })
  await line.world.run(30_000)
  expect([line.caughtUp, line.taken, line.lastEvent]).toEqual([0, ['E4', 'E5'], 'E5'])
})

test('resync fetches what changed, and streams from there', async () => {
  const line = new Line()
  line.lastEvent = 'E3'
  await line.open()
  await line.receive(hello('E9'))
  await line.receive({ type: 'resync', reason: 'too_many', last_event_id: 'E9' }, 200)
  expect([line.caughtUp, line.lastEvent]).toEqual([1, 'E9'])
})

test('with a server without hello, changes are fetched at each connect', async () => {
  const line = new Line()
  line.lastEvent = 'E3'
  await line.open()
  await line.world.run(3000)
  expect(line.caughtUp).toBe(1)
})

test('an event that cannot be stored is requested again on another connection', async () => {
  const line = new Line()
  line.lastEvent = 'E3'
  line.broken = 'E5'
  await line.open()
  await line.receive(hello('E5'))
  await line.receive(event('E4'))
  await line.receive(event('E5'))
  await line.receive(event('E6'))
  expect([line.taken, line.lastEvent]).toEqual([['E4'], 'E4'])
  await line.world.run(1000)
  expect(line.socket.path).toBe('/ws?last=E4')
})

test('[S4.09][S9.13] reconnects forever with a wait that doubles to 15 s; a good connection resets it', async () => {
  const line = new Line()
  await line.open()
  for (let n = 0; n < 8; n++) {
    line.socket.callbacks.onClose(1006)
    await line.world.run(15_001)
  }
  const waits = line.dials.map(({ at }) => at)
  expect(line.dials).toHaveLength(9)
  expect(waits[1]).toBeLessThan(1000)
  line.socket.callbacks.onOpen()
  await line.receive(hello(null), 200)
  line.socket.callbacks.onClose(1012)
  const before = line.world.now
  await line.world.run(1000)
  expect(line.socket.at - before).toBeLessThanOrEqual(501)
})

test('[S4.10][S9.12] pings every 25 s; without a pong for 10 s the connection is closed', async () => {
  const line = new Line()
  await line.open()
  await line.receive(hello(null), 200)
  await line.world.run(25_000)
  expect(line.socket.sent).toMatchObject([{ type: 'ping' }])
  await line.receive({ type: 'pong', server_time: '2026-01-01T00:00:00Z' })
  await line.world.run(24_000)
  expect(line.dials).toHaveLength(1)
  await line.world.run(13_000)
  expect(line.dials).toHaveLength(2)
})

test('[S4.10] a server that said hello answers pings: without a first pong the connection is closed', async () => {
  const line = new Line()
  await line.open()
  await line.receive(hello(null), 200)
  await line.world.run(36_000)
  expect(line.dials).toHaveLength(2)
})

test('[API 19]: a server without hello that never sent a pong is not taken for dead', async () => {
  const line = new Line()
  await line.open()
  await line.receive(event('E1'), 200)
  await line.world.run(120_000)
  expect(line.dials).toHaveLength(1)
})

test('a silent connection is held longer each time before it is closed', async () => {
  const line = new Line()
  await line.open()
  for (let n = 0; n < 5; n++) {
    await line.world.run(1)
    const dials = line.dials.length
    line.socket.callbacks.onOpen()
    await line.world.run(10_000 * 2 ** n - 1)
    expect(line.dials).toHaveLength(dials)
    await line.world.run(17_000)
    expect(line.dials).toHaveLength(dials + 1)
  }
})

test('a failed catch-up resumes on the same connection, and events are applied meanwhile', async () => {
  const line = new Line()
  line.pongs()
  line.failing = 3
  await line.open()
  await line.receive(hello('E5'))
  await line.receive(event('E6'), 1000)
  expect([line.taken, line.lastEvent]).toEqual([['caught up', 'E6'], null])
  await line.world.run(600_000)
  expect([line.dials.length, line.lastEvent]).toEqual([1, 'E5'])
})

test('[S9.13] a connection without a finished catch-up does not reset the backoff', async () => {
  const line = new Line()
  line.failing = 1000
  await line.open()
  for (let n = 0; n < 5; n++) {
    await line.receive(hello('E5'), 5000)
    line.socket.callbacks.onClose(1006)
    await line.world.run(15_001)
    line.socket.callbacks.onOpen()
  }
  const from = line.world.now
  line.socket.callbacks.onClose(1006)
  await line.world.run(14_000)
  expect(line.socket.at).toBeLessThan(from)
})

test.each([
  [4403, 600_000, 1],
  [4409, 600_000, 1],
  [4429, 14_000, 1],
  [4429, 16_000, 2],
  [4400, 1000, 2],
] as const)('close code %i: after %i ms there were %i dials', async (code, ms, times) => {
  const line = new Line()
  await line.open()
  line.socket.callbacks.onClose(code)
  await line.world.run(ms)
  expect(line.dials).toHaveLength(times)
})

test('after close code 4409 it dials again once somebody looks', async () => {
  const line = new Line()
  await line.open()
  line.socket.callbacks.onClose(4409)
  await line.world.run(1000)
  line.stream.connectNow()
  await line.world.run(10)
  expect(line.dials).toHaveLength(2)
})

test.each([
  [true, 2],
  [false, 1],
] as const)(
  'after close code 4401 auth/me decides whether to dial again (%s)',
  async (known, times) => {
    const line = new Line()
    line.knownToken = known
    await line.open()
    line.socket.callbacks.onClose(4401)
    await line.world.run(2000)
    expect(line.dials).toHaveLength(times)
  },
)

test('[S4.08][S4.11][S9.14] polls while the page is visible and has no socket, and stops once it opens', async () => {
  const line = new Line()
  line.stream.want(true, 'everything')
  await line.world.run(119_000)
  expect(line.polled).toEqual([])
  await line.world.run(2000)
  expect(line.polled).toEqual(['everything'])
  line.socket.callbacks.onOpen()
  line.pongs()
  await line.receive(hello('E1'), 600_000)
  expect([line.polled.length, line.caughtUp]).toEqual([1, 1])
})

test('[S4.11] a hidden page does not poll', async () => {
  const line = new Line()
  line.stream.want(true, null)
  await line.world.run(600_000)
  expect(line.polled).toEqual([])
})

test('[S4.11][S9.14] the messages screen polls conversations only, and seldom with data saver', async () => {
  const line = new Line()
  line.stream.want(true, 'conversations')
  await line.world.run(600_001)
  expect(line.polled).toEqual(Array.from({ length: 5 }, () => 'conversations'))
  line.stream.want(true, 'conversations', true)
  await line.world.run(600_001)
  expect(line.polled).toHaveLength(7)
})

test('with data saver a lost connection is dialled after five minutes, or at once when visible', async () => {
  const line = new Line()
  line.stream.want(true, 'everything', true)
  await line.world.run(1)
  line.socket.callbacks.onClose(1006)
  await line.world.run(299_000)
  expect(line.dials).toHaveLength(1)
  await line.world.run(2000)
  expect(line.dials).toHaveLength(2)
  line.socket.callbacks.onClose(1006)
  await line.world.run(60_000)
  line.stream.connectNow()
  await line.world.run(1)
  expect(line.dials).toHaveLength(3)
})

test('[S9.14] polls after 90 s times 1.5 for each close, within 120 and 300 s [D13]', () => {
  expect([0, 1, 2, 3, 4, 100].map(pollIn)).toEqual([
    120_000, 135_000, 202_500, 300_000, 300_000, 300_000,
  ])
})
