import { spawn } from 'node:child_process'
import { exitOf } from './start-server.ts'
import { withPostgres } from '../support/postgres.ts'
import { withRedis } from '../support/redis.ts'

/** Only started servers and the limits know of Redis: all other tests would run the same again. */
const WITH_REDIS = ['tests/server', 'server/route/limits']

/**
 * `npm run test:server`: the same tests on the embedded database, on PostgreSQL, and on PostgreSQL
 * with Redis, where two processes run. Arguments choose some of the three.
 */
const places: Record<string, () => Promise<number>> = {
  embedded: () => suite({}),
  postgresql: () => withPostgres((database) => suite({ DATABASE_URL: database })),
  redis: () =>
    withPostgres((database) =>
      withRedis((redis) => suite({ DATABASE_URL: database, REDIS_URL: redis }, WITH_REDIS)),
    ),
}

async function suite(
  env: Record<string, string>,
  files: readonly string[] = ['server', 'tests/server'],
): Promise<number> {
  const { DATABASE_URL: _, REDIS_URL: __, ...rest } = process.env
  const child = spawn('vitest', ['run', ...files], {
    stdio: 'inherit',
    env: { ...rest, ...env },
    shell: process.platform === 'win32',
  })
  const code = await exitOf(child)
  return typeof code === 'number' ? code : 1
}

const chosen = process.argv.slice(2)
const unknown = chosen.find((name) => !(name in places))
if (unknown !== undefined)
  throw new Error(`${unknown} is none of ${Object.keys(places).join(', ')}`)
for (const [name, run] of Object.entries(places)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue
  process.stdout.write(`\nServer tests: ${name}\n`)
  const code = await run()
  if (code === 0) continue
  // The rest would only push the failure out of sight.
  process.stdout.write(`\nServer tests failed: ${name}\n`)
  process.exitCode = code
  break
}
