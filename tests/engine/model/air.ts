import type { Dialled, SocketHears, WireAnswer, WireRequest } from '#sync/outside'
import type { Realm } from './realm.ts'
import { type Answer, EPOCH, type ModelServer } from './server.ts'
import type { World } from './world.ts'

export interface Weather {
  /** Chance that a request meets one of the troubles. */
  readonly trouble: number
  readonly troubles: readonly Trouble[]
}

/** What can happen to one request. */
export const troubles = ['cut before', 'cut after', 'hang before', 'hang after', 'late', 'twice', '429', '503', '504 after', '520 page', 'portal', 'half', 'other json', 'slow'] as const
export type Trouble = (typeof troubles)[number]

/** The network between a phone and the server. */
export class Air {
  readonly #world: World
  readonly #server: ModelServer
  readonly #lines = new Set<() => void>()
  weather: Weather
  state: 'there' | 'gone' | 'portal' = 'there'

  constructor(world: World, server: ModelServer, weather: Weather) {
    this.#world = world
    this.#server = server
    this.weather = weather
  }

  /** The network goes or comes; connections that stood are cut. */
  become(state: Air['state']): void {
    this.state = state
    if (state !== 'there') this.cut()
  }

  cut(): void {
    for (const cut of Array.from(this.#lines)) cut()
  }

  async fetch(realm: Realm, request: WireRequest): Promise<WireAnswer> {
    const world = this.#world
    const aborted = new Promise<never>((_resolve, reject) => request.signal.addEventListener('abort', () => reject(new Error('aborted'))))
    aborted.catch(() => undefined)
    const never = (): Promise<never> => aborted
    await realm.step(5 + world.below(200))
    if (this.state === 'gone') throw new Error('no network')
    if (this.state === 'portal') return answerOf(page)
    const trouble = world.maybe(this.weather.trouble) ? world.pick(this.weather.troubles) : undefined
    const reached = (ms: number): Promise<Answer> => new Promise((resolve) => world.after(ms, () => resolve(this.#server.handle(request))))
    const back = async (answer: Answer, ms = 5 + world.below(200)): Promise<WireAnswer> => {
      await realm.step(ms)
      return answerOf(answer)
    }
    switch (trouble) {
      case undefined:
        return back(await reached(0))
      case 'cut before':
        throw new Error('cut')
      case 'cut after':
        await reached(0)
        throw new Error('cut')
      case 'hang before':
        return never()
      case 'hang after':
        await reached(0)
        return never()
      case 'late':
        // It arrives long after the phone has given it up.
        return back(await reached(5000 + world.below(60_000)))
      case 'twice': {
        await reached(0)
        return back(await reached(world.below(100)))
      }
      case '429':
        return back({ status: 429, body: { detail: 'wait', code: 'rate_limited', retry_after: 3 }, headers: { 'retry-after': '3' } })
      case '503':
        return back({ status: 503, body: { detail: 'no', code: 'service_unavailable' } })
      case '504 after':
        await reached(0)
        return back({ status: 504, body: 'Gateway Timeout' })
      case '520 page':
        return back({ status: 520, body: '<html>520</html>' })
      case 'portal':
        return back(page)
      case 'other json':
        return back({ status: 200, body: { ok: true } })
      case 'half': {
        const whole = await back(await reached(0))
        return { ...whole, text: () => Promise.reject(new Error('cut in the body')) }
      }
      case 'slow':
        return back(await reached(world.below(3000)), world.below(6000))
    }
  }

  dial(realm: Realm, path: string, hears: SocketHears): Dialled {
    let over = false
    let socket: ReturnType<ModelServer['connect']> = null
    const queue: string[] = []
    const close = (code: number): void => {
      if (over) return
      over = true
      this.#lines.delete(cut)
      if (socket) this.#server.hangUp(socket, code)
      realm.after(0, () => hears.closed(code))
    }
    const cut = (): void => close(1006)
    this.#lines.add(cut)
    // Frames of one connection keep their order, whatever each takes.
    const deliver = (text: string): void => {
      queue.push(text)
      realm.after(1 + this.#world.below(50), () => {
        const next = queue.shift()
        if (!over && next !== undefined) hears.heard(next)
      })
    }
    realm.after(10 + this.#world.below(100), () => {
      if (over) return
      if (this.state !== 'there' || this.#world.maybe(this.weather.trouble)) return cut()
      hears.opened()
      socket = this.#server.connect(path, { opened: () => undefined, heard: deliver, closed: (code) => close(code) })
    })
    return {
      say: (text) => {
        if (text.includes('"ping"')) deliver(JSON.stringify({ type: 'pong', server_time: new Date(EPOCH).toISOString() }))
      },
      close: () => close(1000),
    }
  }
}

const page: Answer = { status: 200, body: '<!doctype html><title>Buy data</title>', headers: { 'content-type': 'text/html' } }

function answerOf({ status, body, headers = {} }: Answer): WireAnswer {
  const text = body === null ? '' : typeof body === 'string' ? body : JSON.stringify(body)
  return { status, header: (name) => headers[name] ?? null, text: () => Promise.resolve(text), bytes: () => text.length }
}
