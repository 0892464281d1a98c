import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { pino } from 'pino'
import * as v from 'valibot'
import type { Call } from '#schema/wire/call'
import { createApp, routes, type App } from '../../../server/app.ts'
import { readConfig } from '../../../server/config.ts'
import { openImageWorker } from '../../../server/files/imageWorker/imageWorker.ts'
import { folderStore } from '../../../server/files/storage.ts'
import { testDatabase } from './database.ts'
import type { Route } from '../../../server/route/routes.ts'
import { openMetrics } from '../../../server/http/operations/metrics.ts'
import type { Reply } from '../../../server/route/reply.ts'
import { memoryLimiter } from '../../../server/route/limits.ts'
import { newId } from '../../../server/ids.ts'
import { jobs } from '../../../server/all-jobs.ts'
import { openMailer } from '../../../server/mail/mailer.ts'
import { createUser } from '../../../server/nouns/account/sign-in.ts'
import { openSession } from '../../../server/nouns/account/session.ts'
import { openPush } from '../../../server/webpush/service.ts'
import type { ServerServices } from '../../../server/http/services.ts'

export interface Person {
  readonly id: string
  readonly username: string
  readonly token: string
}

export interface TestServer {
  readonly app: App
  readonly services: ServerServices
  /** With a session and a random password. */
  person(username?: string): Promise<Person>
  /**
   * One call: `path` below `/api/`; `by` authorizes it, `json` becomes the body, a form is sent as
   * multipart.
   */
  call(
    method: string,
    path: string,
    more?: {
      by?: Person | null
      json?: unknown
      form?: FormData
      key?: string
      headers?: Record<string, string>
    },
  ): Promise<Response>
  /** The JSON of a public address; any answer but 200 is an error. */
  read(path: string): Promise<unknown>
  job(name: string): Promise<number>
  close(): Promise<void>
}

/**
 * A server on a fresh database with the product's routes and `extra`. `env` overrides settings,
 * `instead` services.
 */
export async function testServer(
  extra: readonly Route[] = [],
  env: Record<string, string> = {},
  instead: Partial<ServerServices> = {},
): Promise<TestServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'yaar-test-'))
  const config = readConfig({
    DATA_DIR: dataDir,
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'silent',
    PUBLIC_URL: 'http://yaar.test',
    ...env,
  })
  const database = await testDatabase()
  const services: ServerServices = {
    config,
    database,
    clock: () => new Date(),
    limiter: memoryLimiter(),
    mailer: openMailer(config),
    push: await openPush(config),
    imageWorker: openImageWorker(pino({ level: 'silent' })),
    files: folderStore(join(config.dataDir, 'media')),
    web: new Map(),
    deltas: null,
    prerender: null,
    metrics: openMetrics(database),
    log: pino({ level: 'silent' }),
    publicUrl: 'http://yaar.test',
    ...instead,
  }
  const wrong: string[] = []
  const app = createApp(
    services,
    [...routes, ...extra].map((route) => watched(route, wrong)),
  )
  return {
    app,
    services,
    async person(username = `p${newId().replaceAll('-', '').slice(-20)}`) {
      const now = services.clock()
      return database.tx(async (tx) => {
        const id = await createUser(
          tx,
          { username, email: `${username}@example.com`, passwordHash: 'none', language: 'fr' },
          now,
        )
        return { id, username, token: await openSession(tx, id, 'test', now) }
      })
    },
    async call(method, path, { by = null, json, form, key, headers = {} } = {}) {
      const all = new Headers(headers)
      if (by !== null) all.set('Authorization', `Token ${by.token}`)
      if (key !== undefined) all.set('Idempotency-Key', key)
      if (json !== undefined) all.set('Content-Type', 'application/json')
      const body = form ?? (json === undefined ? null : JSON.stringify(json))
      return app.request(`/api/${path}`, { method, headers: all, body })
    },
    async read(path) {
      const response = await app.request(path)
      const body: unknown = await response.json()
      if (response.status !== 200)
        throw new Error(`${path} answers ${response.status} ${JSON.stringify(body)}`)
      return body
    },
    async job(name) {
      const job = jobs.find((one) => one.name === name)
      if (job === undefined) throw new Error(`there is no job ${name}`)
      return job.run(services)
    },
    async close() {
      await services.imageWorker.close()
      await database.close()
      await rm(dataDir, { recursive: true, force: true })
      if (wrong.length > 0)
        throw new Error(
          `answers are not as their calls describe them:\n${[...new Set(wrong)].join('\n')}`,
        )
    },
  }
}

/** Checks every response of the route against its call: shape, undescribed members, status. */
function watched(route: Route, wrong: string[]): Route {
  return {
    ...route,
    async respond(exchange) {
      const reply = await route.respond(exchange)
      const fault = undescribed(route.call, reply)
      if (fault !== null) wrong.push(`${route.call.method} ${route.call.path}: ${fault}`)
      return reply
    },
  }
}

function undescribed({ answer, status }: Call, reply: Reply): string | null {
  if (answer === null) return reply.value === undefined ? null : 'has a body'
  if (reply.status !== null && reply.status >= 400) return null
  const json: unknown = JSON.parse(JSON.stringify(reply.value))
  const read = v.safeParse(answer, json)
  if (!read.success)
    return read.issues.map((issue) => `${v.getDotPath(issue) ?? ''} ${issue.message}`).join(', ')
  if (!isDeepStrictEqual(read.output, json))
    return `has members that are not described: ${JSON.stringify(json)}`
  return status === 204 ? 'has a body' : null
}
