import type { Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { WebSocketServer } from 'ws'
import { SOCKET_FRAME_BYTES, SOCKET_SILENCE_MS } from '#schema/limits'
import { CLOSE } from '#schema/wire/socket'
import { epochOf } from '../db/epoch.ts'
import {
  callerByToken,
  hashOf,
  countName,
  countRow,
  type LimitRow,
  Refusal,
} from '../route/index.ts'
import { newId } from '../ids.ts'
import { silentBus, type Bus, type BusCallbacks } from './bus.ts'
import { notifyBus } from './bus-notify.ts'
import { redisBus } from './bus-redis.ts'
import { sessionsEnded, type ConversationReads, type LiveServices } from './context.ts'
import { greetingOf, isSocketPath, originAllowed } from './handshake.ts'
import { openHub } from './hub.ts'
import { newEvents } from './publish.ts'
import { presenceOf } from './presence.ts'
import { Connection, type Around } from './socket.ts'

export interface Live extends Around {
  attach(server: Server): void
  /** Heartbeat; registers the sockets again if this process was considered dead. */
  sign(): Promise<void>
  look(): Promise<void>
  /** With 1012, so that clients reconnect elsewhere. */
  close(): Promise<void>
}

const LOOK_MS = 1000
const STOOD_MS = 5000
const SIGN_MS = 10_000
const GOODBYE_MS = 2000

/** [API 14]; `ticks` is the monotonic clock for silence. */
export async function openLive(
  services: LiveServices,
  reads: ConversationReads,
  ticks: () => number = () => performance.now(),
): Promise<Live> {
  const { database, clock, config, log, metrics, publicUrl } = services
  const roll = presenceOf(database, newId())
  const hub = openHub(database.db, reads, clock, log, () => bus)
  const bus = await openBus(services, {
    received: (note) => hub.received(note),
    missed: () => void looked(),
  })
  const connections = new Set<Connection>()
  const left: string[] = []
  metrics.gauge('sockets_open', 'Sockets of this process', () => connections.size)
  const upgrades = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: SOCKET_FRAME_BYTES,
    clientTracking: false,
  })
  upgrades.on('error', (error) => log.error({ err: error }, 'upgrades failed'))
  const stops = [
    newEvents.on((users) => {
      hub.wake(users)
      bus.send({ kind: 'wake', users: [...users] })
    }),
    sessionsEnded.on(({ sessions, code }) =>
      hub.close({ sockets: [], sessions: [...sessions], code }),
    ),
  ]

  const live: Live = {
    services,
    reads,
    hub,
    roll,
    ticks,
    async recognise({ token, address }) {
      if (!(await mayGreet(services, token, address))) return CLOSE.tooManyFrames
      const caller = /^[A-Za-z0-9_-]{43}$/.test(token)
        ? await callerByToken(database.db, token, clock())
        : null
      if (caller !== null) return caller
      return (await isSuspended(services, token)) ? CLOSE.suspended : CLOSE.signedOut
    },
    async enter(connection) {
      hub.join(connection)
      const sockets = await roll.enter(connection, clock())
      if (sockets.length > 0) hub.close({ sockets, sessions: [], code: CLOSE.tooManySockets })
      // it closed while it was being registered
      if (!connections.has(connection)) left.push(connection.id)
    },
    forget(connection) {
      connections.delete(connection)
      hub.leave(connection)
      left.push(connection.id)
    },
    attach(server) {
      server.on('upgrade', (request, socket, head) => {
        // without a listener a reset would end the process
        socket.on('error', () => undefined)
        const refused = !isSocketPath(request.url)
          ? '404 Not Found'
          : originAllowed(request.headers, publicUrl, config.corsOrigins)
            ? null
            : '403 Forbidden'
        if (refused === null)
          upgrades.handleUpgrade(request, socket, head, (client) =>
            connections.add(new Connection(live, client, greetingOf(request, config.trustProxy))),
          )
        else refuseUpgrade(socket, refused)
      })
    },
    sign: () =>
      roll.sign(
        clock(),
        [...connections].filter(({ user }) => user !== ''),
      ),
    async look() {
      const silentSince = ticks() - SOCKET_SILENCE_MS
      for (const connection of connections)
        if (connection.receivedAt <= silentSince) connection.close(CLOSE.silent)
      await hub.look()
      if (left.length > 0) await roll.leave(left.splice(0))
    },
    async close() {
      clearInterval(looking)
      clearInterval(signing)
      for (const stop of stops) stop()
      for (const connection of connections) connection.close(CLOSE.restart)
      for (let waited = 0; connections.size > 0 && waited < GOODBYE_MS; waited += 50)
        await pause(50)
      for (const connection of connections) connection.terminate()
      await bus.close()
      // without the database the heartbeat expires
      await roll
        .resign()
        .catch((error: unknown) => log.warn({ err: error }, 'process could not sign off'))
    },
  }

  const logged = (work: Promise<void>, failure: string) =>
    work.catch((error: unknown) => log.error({ err: error }, failure))
  let busy = false
  let lookedAt = performance.now()
  async function looked() {
    // after the process was stopped, pending frames are not read yet: no socket counts as silent
    const stood = performance.now() - lookedAt > STOOD_MS
    lookedAt = performance.now()
    if (busy || stood) return
    busy = true
    await logged(live.look(), 'sockets could not be looked after')
    busy = false
  }
  await live.sign()
  const looking = setInterval(() => void looked(), LOOK_MS)
  const signing = setInterval(() => void logged(live.sign(), 'process could not sign'), SIGN_MS)
  return live
}

/** [A9] A town that reconnects at once has room; one client backs off. */
const HANDSHAKES: LimitRow = { name: 'handshakes', network: [{ count: 6000, seconds: 60 }] }
const HANDSHAKES_OF_ONE = [{ count: 60, seconds: 60 }]

async function mayGreet(services: LiveServices, token: string, address: string) {
  const now = services.clock()
  try {
    await countName(services, 'handshakes', token, HANDSHAKES_OF_ONE, now)
    await countRow(services, HANDSHAKES, { caller: null, address, visitorSession: null }, now)
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}

/** Closes even when the client keeps its side open. */
function refuseUpgrade(socket: Duplex, status: string) {
  socket.once('finish', () => socket.destroy())
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}

/** The embedded database has one process and needs no bus. */
async function openBus(
  { config, database, log }: LiveServices,
  callbacks: BusCallbacks,
): Promise<Bus> {
  if (config.redisUrl !== null)
    return redisBus(config.redisUrl, `live:${await epochOf(database.db)}`, callbacks, log)
  return database.kind === 'postgresql' && config.database.url !== null
    ? notifyBus(config.database.url, callbacks)
    : silentBus
}

async function isSuspended({ database }: LiveServices, token: string) {
  const row = await database.db
    .selectFrom('session as s')
    .innerJoin('app_user as u', 'u.id', 's.user_id')
    .select('u.suspended_at')
    .where('s.token_hash', '=', hashOf(token))
    .executeTakeFirst()
  return row !== undefined && row.suspended_at !== null
}
