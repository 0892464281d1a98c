import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { open, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { readConfig } from '../../../server/config.ts'
import { openDatabase } from '../../../server/db/open.ts'
import { plainJpeg } from '../../support/camera.ts'
import { discard } from '../../support/folder.ts'
import { withPostgres } from '../../support/postgres.ts'
import { Proxy } from '../../support/proxy.ts'
import { withRedis } from '../../support/redis.ts'
import { exitOf, newFolder, startServer, type Started } from '../start-server.ts'
import { Load } from './load.ts'
import { judge, lay } from './market.ts'
import { resetAt, stagesOf } from './reset.ts'

/** One fault under load: `run` resolves when it is over, `report` adds notes, `failed` errors. */
interface Fault {
  readonly name: string
  run(report: (text: string) => void, failed: (text: string) => void): Promise<void>
}

/** Limit until everything works again after a fault. */
const WHOLE_MS = 5000
const GIVE_UP_MS = 60_000
const AWAY_MS = 3000
const FROZEN_MS = 30_000
const FROZEN_SERVER_MS = 45_000
const DISK_MB = 400
/** Twelve write, ten probe. */
const BUYERS = 22

const port = ({ url }: Started): number => Number(new URL(url).port)

/** Faults whose names contain `only`, on the embedded database; returns whether all passed. */
export async function chaosOnEmbedded(only: string): Promise<boolean> {
  const disk = await smallDisk()
  const dataDir = disk?.folder ?? (await newFolder())
  const well = await chaos('embedded', { DATA_DIR: dataDir }, 1, only, (servers, token) => [
    resets(servers, token),
    frozenServer(servers),
    ...(disk === null ? [] : [fullDisk(disk, servers, token)]),
  ])
  disk?.close()
  discard(dataDir)
  return well
}

/** The same on PostgreSQL with Redis, in two processes. */
export function chaosOnPostgres(only: string): Promise<boolean> {
  return withPostgres((databaseUrl, postgres) =>
    withRedis(async (redisUrl, redis) => {
      const disk = await smallDisk()
      const dataDir = disk?.folder ?? (await newFolder())
      const env = {
        DATA_DIR: dataDir,
        DATABASE_URL: databaseUrl,
        DATABASE_POOL: '10',
        REDIS_URL: redisUrl,
      }
      const well = await chaos(
        'PostgreSQL, Redis, two processes',
        env,
        2,
        only,
        (servers, token) => [
          resets(servers, token),
          {
            name: 'single connections to PostgreSQL ended',
            async run(report) {
              const admin = new pg.Client(databaseUrl)
              await admin.connect()
              const others =
                'from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()'
              let ended = 0
              for (let n = 0; n < 200; n += 1) {
                ended +=
                  (
                    await admin.query(
                      `select pg_terminate_backend(pid) ${others} and state <> 'idle' limit 1`,
                    )
                  ).rowCount ?? 0
                await pause(10)
              }
              ended +=
                (await admin.query(`select pg_terminate_backend(pid) ${others}`)).rowCount ?? 0
              await admin.end()
              report(`${ended} ended`)
            },
          },
          {
            name: 'PostgreSQL stopped, -m immediate',
            async run() {
              postgres.stop('immediate')
              await pause(AWAY_MS)
              postgres.start()
            },
          },
          {
            name: 'PostgreSQL killed (SIGKILL)',
            async run() {
              await postgres.signal('SIGKILL')
              await pause(AWAY_MS)
              postgres.start()
            },
          },
          frozen('PostgreSQL', postgres),
          {
            name: 'single connections to Redis ended',
            async run() {
              for (let n = 0; n < 20; n += 1) {
                await inRedis(
                  redisUrl,
                  n % 2 === 0 ? 'CLIENT KILL TYPE PUBSUB' : 'CLIENT KILL TYPE NORMAL',
                )
                await pause(100)
              }
            },
          },
          {
            name: 'Redis killed (SIGKILL)',
            async run() {
              await redis.signal('SIGKILL')
              await pause(AWAY_MS)
              await redis.start()
            },
          },
          frozen('Redis', redis),
          {
            name: 'both killed',
            async run() {
              await Promise.all([redis.signal('SIGKILL'), postgres.signal('SIGKILL')])
              await pause(AWAY_MS)
              postgres.start()
              await redis.start()
            },
          },
          frozenServer(servers, databaseUrl),
          ...(disk === null ? [] : [fullDisk(disk, servers, token)]),
        ],
      )
      disk?.close()
      discard(dataDir)
      return well
    }),
  )
}

async function chaos(
  place: string,
  env: Record<string, string>,
  processes: number,
  only: string,
  faultsOf: (servers: readonly Started[], token: string) => Fault[],
): Promise<boolean> {
  const config = readConfig(env)
  const empty = await openDatabase(config)
  const market = await lay(empty, BUYERS)
  await empty.close()
  const servers: Started[] = []
  for (let n = 0; n < processes; n += 1)
    servers.push(await startServer(n === 0 ? env : { ...env, DATA_DIR: await newFolder() }))
  const ends: string[] = []
  let stopping = false
  for (const [n, server] of servers.entries())
    void exitOf(server.process).then((code) =>
      stopping ? undefined : ends.push(`process ${n + 1} ended with ${code}: ${last(server)}`),
    )
  const load = new Load(
    servers.map(({ url }) => url),
    market,
  )
  // A cold start is no fault.
  await wholeAfter(load, () => ends.length > 0)
  console.log(`\nChaos: ${place}, ${BUYERS - 10} writers, 4 readers, ${processes} sockets`)
  console.log(
    '| fault | answered | 503 with Retry-After | 429, 409 | anything else | longest answer ' +
      '| whole again after | |\n|---|---|---|---|---|---|---|---|',
  )
  const faults: string[] = []
  const chosen = faultsOf(servers, market.buyers[0]?.token ?? '').filter(({ name }) =>
    name.includes(only),
  )
  for (const fault of [{ name: 'none', run: () => pause(5000) }, ...chosen]) {
    load.take()
    const notes: string[] = []
    await fault.run(
      (text) => notes.push(text),
      (text) => faults.push(`${fault.name}: ${text}`),
    )
    const after = await wholeAfter(load, () => ends.length > 0)
    const { answered, unavailable, later, wrong, longestMs } = load.take()
    const others = [...wrong].map(([what, n]) => `${n} × ${what}`).join(', ') || '–'
    console.log(
      `| ${fault.name} | ${answered} | ${unavailable} | ${later} | ${others} ` +
        `| ${(longestMs / 1000).toFixed(2)} s ` +
        `| ${typeof after === 'number' ? `${(after / 1000).toFixed(2)} s` : 'NEVER'} ` +
        `| ${notes.join(', ')} |`,
    )
    if (typeof after !== 'number') faults.push(`${fault.name}: ${after ?? 'a process ended'}`)
    else if (after > WHOLE_MS) faults.push(`${fault.name}: not whole within ${WHOLE_MS / 1000} s`)
    if (wrong.size > 0) faults.push(`${fault.name}: ${others}`)
    if (ends.length > 0) break
  }
  if (ends.length === 0) {
    await load.end()
    for (const [n, server] of servers.entries())
      if (!(await givesAllBack(server)))
        faults.push(`process ${n + 1} holds connections to PostgreSQL that nobody uses`)
  }
  stopping = true
  await Promise.all(servers.map((server) => server.stop()))
  const database = await openDatabase(config)
  faults.push(...ends, ...(await judge(database, load.acknowledged)))
  await database.close()
  for (const { dataDir } of servers.slice(1)) discard(dataDir)
  console.log(
    `${place}: ${load.acknowledged.length} messages acknowledged, ` +
      (faults.length === 0 ? 'none lost, none doubled, no process ended' : faults.join('; ')),
  )
  return faults.length === 0
}

/** Whether all its PostgreSQL connections are idle at some moment soon; jobs use one at times. */
async function givesAllBack({ url }: Started): Promise<boolean> {
  for (const began = performance.now(); performance.now() - began < WHOLE_MS; await pause(20)) {
    const busy =
      /^database_connections\{state="busy"\} (\d+)$/m.exec(
        await (await fetch(`${url}/metrics`)).text(),
      )?.[1] ?? '0'
    if (busy === '0') return true
  }
  return false
}

const last = (server: Started): string => server.errors().split('\n').at(-2)?.slice(0, 400) ?? ''

/** ms until everything works again, or what fails; null when a process ended. */
async function wholeAfter(load: Load, isLost: () => boolean): Promise<number | string | null> {
  const began = performance.now()
  let fault: string | null = null
  while (performance.now() - began < GIVE_UP_MS && !isLost()) {
    fault = await load.fault(WHOLE_MS)
    if (fault === null) return performance.now() - began
    await pause(100)
  }
  return fault
}

const resets = (servers: readonly Started[], token: string): Fault => ({
  name: 'connections reset at every stage',
  async run(report) {
    let count = 0
    for (const server of servers) {
      const proxy = await new Proxy(port(server)).listen()
      for (const stage of stagesOf(token)) {
        const ten = Array.from({ length: 10 }, (_, n) =>
          resetAt(n % 2 === 0 ? port(server) : proxy.port, stage),
        )
        await Promise.all(ten)
        count += ten.length
      }
      await proxy.close()
    }
    report(`${count} resets`)
  },
})

const frozen = (name: string, one: { signal(signal: NodeJS.Signals): Promise<void> }): Fault => ({
  name: `${name} frozen for ${FROZEN_MS / 1000} s`,
  async run() {
    await one.signal('SIGSTOP')
    await pause(FROZEN_MS)
    await one.signal('SIGCONT')
  },
})

/** Others consider it dead after 30 s; afterwards its sockets must be registered again. */
const frozenServer = (servers: readonly Started[], databaseUrl?: string): Fault => ({
  name: `a server frozen for ${FROZEN_SERVER_MS / 1000} s`,
  async run(report) {
    const last = servers.at(-1)
    last?.process.kill('SIGSTOP')
    await pause(FROZEN_SERVER_MS)
    const gone = await socketsOf(databaseUrl)
    last?.process.kill('SIGCONT')
    if (databaseUrl === undefined) return
    const began = performance.now()
    while (
      (await socketsOf(databaseUrl)) < servers.length &&
      performance.now() - began < GIVE_UP_MS
    )
      await pause(100)
    report(
      `sockets on the list: ${gone} of ${servers.length} meanwhile, ` +
        `all after ${((performance.now() - began) / 1000).toFixed(1)} s`,
    )
  },
})

async function socketsOf(databaseUrl: string | undefined): Promise<number> {
  if (databaseUrl === undefined) return 0
  const admin = new pg.Client(databaseUrl)
  await admin.connect()
  const { rowCount } = await admin.query('select 1 from live_socket')
  await admin.end()
  return rowCount ?? 0
}

interface Disk {
  readonly folder: string
  fill(): Promise<void>
  free(): Promise<void>
  close(): void
}

/** A small tmpfs; null where mounting is not allowed. */
async function smallDisk(): Promise<Disk | null> {
  const folder = await newFolder()
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m`, 'tmpfs', folder], {
      stdio: 'ignore',
    })
  } catch {
    console.log('Chaos: no disk is filled, because that needs root and the right to mount')
    return null
  }
  const ballast = join(folder, 'ballast')
  return {
    folder,
    async fill() {
      const file = await open(ballast, 'a')
      for (const size of [1 << 20, 1 << 12, 1]) {
        const bytes = Buffer.alloc(size)
        while (
          await file.write(bytes).then(
            ({ bytesWritten }) => bytesWritten > 0,
            () => false,
          )
        );
      }
      await file.close()
    },
    free: () => rm(ballast, { force: true }),
    close: () => void execFileSync('umount', [folder]),
  }
}

/** Uploads are refused while the server's disk is full, and accepted afterwards. */
const fullDisk = (disk: Disk, servers: readonly Started[], token: string): Fault => ({
  name: `the disk full for ${AWAY_MS / 1000} s`,
  async run(report, failed) {
    const { buffer } = await plainJpeg('a.jpg', '#3a7a46', 800, 600)
    const upload = async (): Promise<number> => {
      const form = new FormData()
      form.append('file', new Blob([new Uint8Array(buffer)], { type: 'image/jpeg' }), 'a.jpg')
      const answer = await fetch(`${servers[0]?.url}/api/uploads/`, {
        method: 'POST',
        body: form,
        headers: { Authorization: `Token ${token}` },
      })
      await answer.text()
      return answer.status
    }
    await disk.fill()
    const began = performance.now()
    const statuses: number[] = []
    while (performance.now() - began < AWAY_MS) {
      statuses.push(await upload())
      await pause(200)
    }
    await disk.free()
    const after = await upload()
    report(`photos: ${[...new Set(statuses)].join(', ')} while full, ${after} after`)
    if (statuses.some((status) => status !== 503) || after !== 201)
      failed(
        `a photo was not 503 while the disk was full, or not taken afterwards: ${servers.map(last).join()}`,
      )
  },
})

/** Sends one inline command, which requires no client library. */
async function inRedis(url: string, command: string): Promise<void> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.on('error', () => undefined)
  socket.write(`${command}\r\n`)
  await Promise.race([once(socket, 'data'), once(socket, 'close')])
  socket.destroy()
}
