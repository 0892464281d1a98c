import { ChildProcess } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { WriteStream } from 'node:fs'
import { Server as NetServer, Socket } from 'node:net'
import { Redis } from 'iovalkey'
import pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as v from 'valibot'
import { WebSocket, WebSocketServer } from 'ws'
import { register } from '#schema/wire/account'
import { plainJpeg } from '../support/camera.ts'
import { discard } from '../support/folder.ts'
import { readConfig } from '../../server/config.ts'
import { makeDatabase } from './support/database.ts'
import { connect } from './support/socketClient.ts'
import { start, type Running } from '../../server/start.ts'
import { resetAt, stagesOf } from './chaos/reset.ts'
import { newFolder } from './start-server.ts'

/**
 * An `error` event without a listener ends the process. Records every emitter of a running server,
 * and checks on every tick of the event loop that each kind that can fail has a listener.
 */
const kinds = [
  NetServer,
  Socket,
  pg.Client,
  pg.Pool,
  Redis,
  WebSocket,
  WebSocketServer,
  ChildProcess,
  WriteStream,
]
/** A destroyed emitter emits no more errors. */
const isOver = (emitter: EventEmitter): boolean =>
  (emitter instanceof Socket || emitter instanceof WriteStream) && emitter.destroyed

const born = new Map<WeakRef<EventEmitter>, string>()
const deaf = new Set<string>()
const init: unknown = Reflect.get(EventEmitter, 'init')
let looking = true

function look(): void {
  for (const [ref, stack] of born) {
    const emitter = ref.deref()
    if (emitter === undefined || isOver(emitter)) born.delete(ref)
    else if (emitter.listenerCount('error') === 0)
      deaf.add(`${emitter.constructor.name} made ${stack}`)
  }
  if (looking) setImmediate(look)
}

let dataDir: string
let running: Running
let drop: () => Promise<void> = async () => undefined
let database: string | undefined
beforeAll(async () => {
  if (typeof init !== 'function') throw new Error('this Node makes its emitters in another way')
  // The connection that creates the test's database is not the server's.
  const url = process.env['DATABASE_URL']
  if (url !== undefined) {
    const made = await makeDatabase(url)
    drop = made.drop
    database = made.url
  }
  Reflect.set(EventEmitter, 'init', function (this: EventEmitter, options: unknown) {
    Reflect.apply(init, this, [options])
    if (kinds.some((kind) => this instanceof kind))
      born.set(new WeakRef(this), new Error('here').stack?.split('\n').slice(2, 9).join('\n') ?? '')
  })
  dataDir = await newFolder()
  const { REDIS_URL } = process.env
  const env = {
    PORT: '0',
    DEMO: '0',
    RATE_LIMITS: 'off',
    DATA_DIR: dataDir,
    ...(database !== undefined && { DATABASE_URL: database }),
    ...(REDIS_URL !== undefined && { REDIS_URL }),
  }
  running = await start(readConfig(env), pino({ level: 'silent' }))
  setImmediate(look)
})
afterAll(async () => {
  looking = false
  Reflect.set(EventEmitter, 'init', init)
  await running.stop()
  await drop()
  discard(dataDir)
})

test('every emitter of a server that can fail has an error listener', async () => {
  const url = running.address.replace('localhost', '127.0.0.1')
  const port = Number(new URL(url).port)
  const body = JSON.stringify({ username: 'kadi', email: 'kadi@example.com', password: 'secret1' })
  const answer = await fetch(`${url}/api/auth/register/`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body,
  })
  const { token } = v.parse(register.answer, await answer.json())
  const socket = connect(port, { token })
  await socket.until((frame) => frame.type === 'hello')
  const { buffer } = await plainJpeg('a.jpg', '#3a7a46', 300, 250)
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(buffer)], { type: 'image/jpeg' }), 'a.jpg')
  expect(
    (
      await fetch(`${url}/api/uploads/`, {
        method: 'POST',
        headers: { Authorization: `Token ${token}` },
        body: form,
      })
    ).status,
  ).toBe(201)
  for (const stage of stagesOf(token)) {
    await Promise.all([
      resetAt(port, stage, 100),
      fetch(`${url}/api/listings/`).then((one) => one.text()),
      fetch(`${url}/api/favorites/`, { headers: { Authorization: `Token ${token}` } }).then((one) =>
        one.text(),
      ),
    ])
  }
  socket.socket.close()
  await socket.closed
  const seen = new Set(
    [...born.keys()].flatMap(
      (ref) => kinds.find((kind) => ref.deref() instanceof kind)?.name ?? [],
    ),
  )
  expect([...deaf]).toEqual([])
  expect([...seen]).toEqual(
    expect.arrayContaining([
      'Socket',
      'Server',
      'ChildProcess',
      ...(database === undefined ? [] : ['Client']),
    ]),
  )
})
