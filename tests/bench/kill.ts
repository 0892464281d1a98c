import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { list, member, Person, text } from '../support/api.ts'
import { withPostgres } from '../support/postgres.ts'
import { type Product, startProduct } from '../support/product.ts'
import { type Figure, median } from './measure.ts'

const KILLS = 50
const WRITERS = 8

/** A write that was begun: its key, its text, and whether the server said that it was done. */
interface Written {
  readonly key: string
  readonly content: string
  acknowledged: boolean
}

interface Judged {
  readonly acknowledged: number
  readonly lost: number
  readonly doubled: number
  readonly gaps: number
  readonly starts: readonly number[]
}

/** kill -9 in the middle of writes, again and again, on both databases: nothing that was acknowledged may be lost, nothing done twice (API.md 2). */
export async function kill(): Promise<readonly Figure[]> {
  const embedded = await killed({})
  const postgresql = await withPostgres((url) => killed({ DATABASE_URL: url }))
  return [...figures('embedded database', embedded), ...figures('PostgreSQL', postgresql)]
}

function figures(name: string, { acknowledged, lost, doubled, gaps, starts }: Judged): Figure[] {
  const what = (say: string) => `${name}, ${KILLS} kills: ${say}`
  return [
    { what: what('acknowledged writes'), value: acknowledged, unit: '', reach: KILLS, atLeast: true },
    { what: what('of them lost'), value: lost, unit: '', reach: 0 },
    { what: what('doubled, retries with the same key included'), value: doubled, unit: '', reach: 0 },
    { what: what('holes in the order of a conversation'), value: gaps, unit: '', reach: 0 },
    { what: what('start after a kill'), value: median(starts), unit: 'ms', reach: 10_000 },
  ]
}

async function killed(env: Readonly<Record<string, string>>): Promise<Judged> {
  const dataDir = mkdtempSync(join(tmpdir(), 'kill-'))
  let market = await startProduct({ dataDir, env: { ...env, DEMO_LISTINGS: '60', DEMO_USERS: '30', RATE_LIMITS: 'off', LOG_LEVEL: 'error' } })
  try {
    const buyer = await new Person(market.url).signIn('acheteur')
    const conversation = text(list(await buyer.ask('GET', 'conversations/'), 'results')[0], 'id')
    const written: Written[] = []
    const starts: number[] = []
    for (let round = 0; round < KILLS; round += 1) {
      const load = writing(market, buyer.token, conversation, written)
      // Early, in the middle, late: another moment each time.
      await pause(60 + ((round * 137) % 600))
      market = await market.restart()
      await load
      starts.push(market.readyMs)
      // What was cut off is sent again under its key, as a phone would.
      for (const one of written.filter(({ acknowledged }) => !acknowledged)) await write(market, buyer.token, conversation, one)
    }
    return { ...(await judge(buyer, conversation, written)), starts }
  } finally {
    await market.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** Writers that send one message after another until the server is gone. */
async function writing(market: Product, token: string, conversation: string, written: Written[]): Promise<void> {
  const writer = async (): Promise<void> => {
    for (;;) {
      const one: Written = { key: randomUUID(), content: `n° ${written.length}`, acknowledged: false }
      written.push(one)
      try {
        await write(market, token, conversation, one)
      } catch {
        return
      }
    }
  }
  await Promise.all(Array.from({ length: WRITERS }, writer))
}

async function write(market: Product, token: string, conversation: string, one: Written): Promise<void> {
  const answer = await fetch(`${market.url}/api/conversations/${conversation}/messages/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Token ${token}`, 'idempotency-key': one.key },
    body: JSON.stringify({ content: one.content, client_id: one.key }),
  })
  if (answer.status !== 201) throw new Error(`${answer.status} ${await answer.text()}`)
  await answer.arrayBuffer()
  one.acknowledged = true
}

async function judge(reader: Person, conversation: string, written: readonly Written[]): Promise<Omit<Judged, 'starts'>> {
  const found = new Map<string, number>()
  let last = 0
  let gaps = 0
  for (;;) {
    const page = list(await reader.ask('GET', `conversations/${conversation}/messages/?after=${last}&page_size=100`), 'results')
    if (page.length === 0) break
    for (const message of page) {
      const seq = Number(member(message, 'seq'))
      if (seq !== last + 1) gaps += 1
      last = seq
      const content = text(message, 'content')
      found.set(content, (found.get(content) ?? 0) + 1)
    }
  }
  const acknowledged = written.filter((one) => one.acknowledged)
  return {
    acknowledged: acknowledged.length,
    lost: acknowledged.filter(({ content }) => !found.has(content)).length,
    doubled: written.filter(({ content }) => (found.get(content) ?? 0) > 1).length,
    gaps,
  }
}
