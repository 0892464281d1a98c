import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeDatabase } from './support/database.ts'

export interface Started {
  readonly url: string
  readonly dataDir: string
  readonly process: ChildProcess
  /** Environment for another process on the same data. */
  readonly same: Record<string, string>
  errors(): string
  /** Ends it with a signal; returns its exit code, or the signal's name. */
  stop(signal?: NodeJS.Signals): Promise<number | string>
}

export const newFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'yaar-server-'))

/**
 * Starts a server process on a free port, without the demo. With DATABASE_URL it gets a database of
 * its own there. Resolves at its ready line.
 */
export async function startServer(env: Record<string, string> = {}): Promise<Started> {
  const dataDir = env['DATA_DIR'] ?? (await newFolder())
  const outer = process.env['DATABASE_URL']
  const made =
    outer === undefined || env['DATABASE_URL'] !== undefined ? null : await makeDatabase(outer)
  const same = { DATA_DIR: dataDir, ...(made !== null && { DATABASE_URL: made.url }) }
  const { child, output } = spawnServer({
    PORT: '0',
    DEMO: '0',
    LOG_LEVEL: 'error',
    ...env,
    ...same,
  })
  const ended = exitOf(child)
  const ready = Promise.withResolvers<string>()
  child.stdout?.on('data', () => {
    const url = /is ready on (\S+)/.exec(output.out)?.[1]
    if (url !== undefined) ready.resolve(url.replace('localhost', '127.0.0.1'))
  })
  void ended.then((code) => ready.reject(new Error(`the server ended with ${code}: ${output.err}`)))
  return {
    url: await ready.promise,
    dataDir,
    process: child,
    same: env['DATABASE_URL'] === undefined ? same : { ...same, DATABASE_URL: env['DATABASE_URL'] },
    errors: () => output.err,
    stop(signal = 'SIGTERM') {
      child.kill(signal)
      return ended
    },
  }
}

/** Runs the server, or another script, until it exits: its exit code and output. */
export async function runToEnd(
  env: Record<string, string>,
  ...script: string[]
): Promise<{ code: number | string; out: string; err: string }> {
  const { child, output } = spawnServer(env, ...script)
  const code = await exitOf(child)
  return { code, ...output }
}

/** Starts the process without waiting for it. */
export function spawnServer(env: Record<string, string>, ...script: string[]) {
  const { NODE_ENV: _, DATABASE_URL: database, REDIS_URL: redis, ...rest } = process.env
  const child = spawn(process.execPath, script.length > 0 ? script : ['server/main.ts'], {
    env: {
      ...rest,
      ...(database !== undefined && { DATABASE_URL: database }),
      ...(redis !== undefined && { REDIS_URL: redis }),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = { out: '', err: '' }
  child.stdout.on('data', (chunk: Buffer) => (output.out += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output.err += chunk.toString()))
  return { child, output }
}

/** The exit code of a process, or the name of the signal that ended it. */
export function exitOf(child: ChildProcess): Promise<number | string> {
  return new Promise((resolve) =>
    child.once('exit', (code, signal) => resolve(code ?? signal ?? 'unknown')),
  )
}
