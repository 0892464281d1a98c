import { setTimeout as pause } from 'node:timers/promises'
import * as v from 'valibot'
import { discard } from '../support/folder.ts'
import { startServer, type Started } from './start-server.ts'

/**
 * `node tests/server/load.ts [logins | town seconds]`, and part of `npm run kills`: lists during
 * 150 sign-ins, and 2,000 visitors of one IP address, one of them with 50 calls a second.
 */
const LOGINS = 150
const LISTS = 60
/**
 * Sign-ins use one of two cores for some seconds, the other is shared by server and client: lists
 * take two to three times as long. Without a bound it was 23 times.
 */
const SLOWER_MAX = 4

const VISITORS = 2000
const CALLS_PER_MINUTE = 3
const GREEDY_PER_SECOND = 50
const TICK_MS = 100
const IN_FLIGHT_MAX = 400

const page = v.object({ results: v.array(v.object({ id: v.string() })) })

async function withServer<T>(
  env: Record<string, string>,
  use: (server: Started) => Promise<T>,
): Promise<T> {
  const server = await startServer({ DEMO: '1', DEMO_LISTINGS: '500', DEMO_USERS: '50', ...env })
  try {
    return await use(server)
  } finally {
    await server.stop()
    discard(server.dataDir)
  }
}

const middle = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN

/** ms of one list, including its body. */
async function listMs({ url }: Started): Promise<number> {
  const began = performance.now()
  const answer = await fetch(`${url}/api/listings/?page_size=20`)
  await answer.arrayBuffer()
  if (answer.status !== 200) throw new Error(`a list was answered with ${answer.status}`)
  return performance.now() - began
}

/** Lists without and with 150 sign-ins; returns whether all signed in and lists stayed usable. */
export function logins(): Promise<boolean> {
  return withServer({ RATE_LIMITS: 'off' }, async (server) => {
    for (let n = 0; n < LISTS; n += 1) await listMs(server)
    const alone: number[] = []
    for (let n = 0; n < LISTS; n += 1) alone.push(await listMs(server))
    const began = performance.now()
    let running = true
    const entering = Promise.all(Array.from({ length: LOGINS }, () => enter(server))).finally(
      () => (running = false),
    )
    const beside: number[] = []
    while (running) beside.push(await listMs(server))
    const statuses = await entering
    const seconds = (performance.now() - began) / 1000
    const [before, during] = [middle(alone), middle(beside)]
    const refused = statuses.filter((status) => status !== 200).length
    const worst = Math.max(...beside)
    console.log(
      `${LOGINS} sign-ins at once: done in ${seconds.toFixed(1)} s, ${refused} refused; ` +
        `a list takes ${before.toFixed(1)} ms alone and ${during.toFixed(1)} ms beside them ` +
        `(${(during / before).toFixed(1)} times, worst ${worst.toFixed(0)} ms of ${beside.length})`,
    )
    return refused === 0 && during / before <= SLOWER_MAX
  })
}

async function enter({ url }: Started): Promise<number> {
  const body = JSON.stringify({ username: 'acheteur', password: 'marche2026' })
  const answer = await fetch(`${url}/api/auth/login/`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body,
  })
  await answer.arrayBuffer()
  return answer.status
}

/** 2,000 visitors of one IP address: none is refused, but one who floods the server is. */
export function town(seconds: number): Promise<boolean> {
  return withServer({}, async (server) => {
    const ids = v
      .parse(page, await (await fetch(`${server.url}/api/listings/?page_size=50`)).json())
      .results.map(({ id }) => id)
    // Without a build there are no pages.
    const pages = (await fetch(server.url)).status === 200
    const times: number[] = []
    const statuses = { visitors: new Map<number, number>(), greedy: new Map<number, number>() }
    const flying = new Set<Promise<void>>()
    const ask = (who: 'visitors' | 'greedy', session: string, path: string): void => {
      const began = performance.now()
      const going: Promise<void> = fetch(`${server.url}${path}`, {
        headers: { 'X-Session-Id': session },
      })
        .then(async (answer) => {
          await answer.arrayBuffer()
          statuses[who].set(answer.status, (statuses[who].get(answer.status) ?? 0) + 1)
          if (who === 'visitors') times.push(performance.now() - began)
        })
        .finally(() => flying.delete(going))
      flying.add(going)
    }
    const perTick = (VISITORS * CALLS_PER_MINUTE * TICK_MS) / 60_000
    const started = performance.now()
    let asked = 0
    let greedy = 0
    while (performance.now() - started < seconds * 1000) {
      const tick = Math.floor((performance.now() - started) / TICK_MS) + 1
      // A slow machine gets fewer calls, instead of refused ones.
      while (asked < tick * perTick && flying.size < IN_FLIGHT_MAX)
        ask('visitors', `visitor-${asked % VISITORS}`, pathOf(asked++, ids, pages))
      while (greedy < (tick * TICK_MS * GREEDY_PER_SECOND) / 1000 && flying.size < IN_FLIGHT_MAX)
        ask('greedy', 'visitor-greedy', pathOf(greedy++, ids, pages))
      await pause(TICK_MS)
    }
    await Promise.all(flying)
    const summary = (of: Map<number, number>) =>
      [...of].map(([status, count]) => `${status}: ${count}`).join(', ')
    const refused = [...statuses.visitors]
      .filter(([status]) => status !== 200)
      .reduce((sum, [, count]) => sum + count, 0)
    console.log(
      `${VISITORS} visitors behind one address for ${seconds} s: ${summary(statuses.visitors)} ` +
        `(median ${middle(times).toFixed(0)} ms); ` +
        `one who asks ${GREEDY_PER_SECOND} times a second: ${summary(statuses.greedy)}`,
    )
    return refused === 0 && (statuses.greedy.get(429) ?? 0) > 0
  })
}

/** Each visitor loads a page first, then lists and listings. */
function pathOf(n: number, ids: readonly string[], pages: boolean): string {
  if (pages && n < VISITORS && n % 5 === 0) return '/'
  const id = ids[n % ids.length] ?? ''
  return (
    [
      '/api/listings/?page_size=20',
      `/api/listings/${id}/`,
      `/api/listings/${id}/similar/`,
      '/api/recommendations/?type=recent',
      '/api/categories/',
    ][n % 5] ?? '/'
  )
}

if (import.meta.main) {
  const [what, seconds = '30'] = process.argv.slice(2)
  const well = [
    what === 'town' || (await logins()),
    what === 'logins' || (await town(Number(seconds))),
  ]
  process.exitCode = well.every(Boolean) ? 0 : 1
}
