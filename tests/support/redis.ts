import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { discard } from './folder.ts'
import { freePort } from './product.ts'

/** The program of Valkey or Redis, installed now by apt-get where that may be. */
function program(): string {
  const find = () => (process.env['PATH'] ?? '').split(delimiter).flatMap((folder) => ['valkey-server', 'redis-server'].map((name) => join(folder, name))).find((path) => existsSync(path))
  const found = find()
  if (found !== undefined) return found
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    execFileSync('apt-get', ['install', '-y', '-q', '--no-install-recommends', 'redis-server'], { stdio: ['ignore', 'ignore', 'inherit'], env })
    const installed = find()
    if (installed !== undefined) return installed
  }
  throw new Error('No Redis or Valkey server found. Install one (Debian, Ubuntu: sudo apt-get install redis-server).')
}

/** A private Redis on a free port of this machine, in memory only, for as long as `use` runs. */
export async function withRedis<T>(use: (redisUrl: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'redis-'))
  const port = await freePort()
  const child = spawn(program(), ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder], { stdio: 'ignore' })
  const ended = once(child, 'exit')
  try {
    await listening(port, ended)
    return await use(`redis://127.0.0.1:${port}`)
  } finally {
    child.kill('SIGTERM')
    await ended
    discard(folder)
  }
}

async function listening(port: number, ended: Promise<unknown>): Promise<void> {
  let alive = true
  void ended.then(() => (alive = false))
  while (alive) {
    const socket = connect(port, '127.0.0.1')
    const open = await Promise.race([once(socket, 'connect').then(() => true, () => false), ended.then(() => false)])
    socket.destroy()
    if (open) return
    await pause(20)
  }
  throw new Error('Redis ended before it listened')
}
