import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { discard } from './folder.ts'
import { freePort } from './product.ts'

/** Path of Valkey or Redis, or one installed now by apt-get. */
function program(): string {
  const find = () =>
    (process.env['PATH'] ?? '')
      .split(delimiter)
      .flatMap((folder) => ['valkey-server', 'redis-server'].map((name) => join(folder, name)))
      .find((path) => existsSync(path))
  const found = find()
  if (found !== undefined) return found
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    execFileSync('apt-get', ['install', '-y', '-q', '--no-install-recommends', 'redis-server'], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env,
    })
    const installed = find()
    if (installed !== undefined) return installed
  }
  throw new Error(
    'No Redis or Valkey server found. Install one (Debian, Ubuntu: sudo apt-get install redis-server).',
  )
}

/** A private in-memory Redis that can be stopped and restarted. */
export interface RedisServer {
  readonly url: string
  start(): Promise<void>
  /** Sends a signal; SIGSTOP and SIGCONT freeze and resume it. */
  signal(signal: NodeJS.Signals): Promise<void>
  close(): Promise<void>
}

export async function redisServer(): Promise<RedisServer> {
  const folder = await mkdtemp(join(tmpdir(), 'redis-'))
  const port = await freePort()
  let running: { readonly child: ChildProcess; readonly ended: Promise<unknown> } | null = null
  const signal = async (name: NodeJS.Signals): Promise<void> => {
    if (running === null) return
    running.child.kill(name)
    if (name === 'SIGSTOP' || name === 'SIGCONT') return
    await running.ended
    running = null
  }
  return {
    url: `redis://127.0.0.1:${port}`,
    async start() {
      const child = spawn(
        program(),
        [
          '--port',
          `${port}`,
          '--bind',
          '127.0.0.1',
          '--save',
          '',
          '--appendonly',
          'no',
          '--dir',
          folder,
        ],
        { stdio: 'ignore' },
      )
      running = { child, ended: once(child, 'exit') }
      await listening(port, running.ended)
    },
    signal,
    async close() {
      await signal('SIGCONT')
      await signal('SIGTERM')
      discard(folder)
    },
  }
}

export async function withRedis<T>(
  use: (redisUrl: string, server: RedisServer) => Promise<T>,
): Promise<T> {
  const server = await redisServer()
  try {
    await server.start()
    return await use(server.url, server)
  } finally {
    await server.close()
  }
}

async function listening(port: number, ended: Promise<unknown>): Promise<void> {
  let alive = true
  void ended.then(() => (alive = false))
  while (alive) {
    const socket = connect(port, '127.0.0.1')
    const open = await Promise.race([
      once(socket, 'connect').then(
        () => true,
        () => false,
      ),
      ended.then(() => false),
    ])
    socket.destroy()
    if (open) return
    await pause(20)
  }
  throw new Error('Redis ended before it listened')
}
