import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { discard } from './folder.ts'

/** The real server, as `npm start` runs it, with its own data folder. The caller builds first. */
export interface Product {
  readonly port: number
  readonly url: string
  readonly dataDir: string
  readonly readyMs: number
  output(): string
  stop(signal?: NodeJS.Signals): Promise<void>
  /** Stops it and starts it again on the same data and port. */
  restart(): Promise<Product>
}

export interface Start {
  readonly env?: Readonly<Record<string, string>>
  readonly dataDir?: string
  readonly port?: number
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise<void>((resolve) => server.once('listening', () => resolve()))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  await new Promise<void>((resolve) => server.close(() => resolve()))
  return address.port
}

export async function startProduct(start: Start = {}): Promise<Product> {
  const dataDir = start.dataDir ?? mkdtempSync(join(tmpdir(), 'market-'))
  const began = performance.now()
  const child = spawn('node', ['server/main.ts'], {
    env: {
      ...process.env,
      PORT: String(start.port ?? 0),
      DATA_DIR: dataDir,
      LOG_LEVEL: 'warn',
      ...start.env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  const ready = new Promise<number>((resolve, reject) => {
    const collect = (bytes: Buffer): void => {
      printed += bytes.toString()
      const address = /is ready on \S+:(\d+)\n/.exec(printed)
      if (address) resolve(Number(address[1]))
    }
    child.stdout.on('data', collect)
    child.stderr.on('data', collect)
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}:\n${printed}`)))
  })
  const port = await ready
  const stop = async (signal: NodeJS.Signals = 'SIGTERM'): Promise<void> => {
    await end(child, signal)
    if (signal !== 'SIGKILL' && start.dataDir === undefined) discard(dataDir)
  }
  return {
    port,
    url: `http://localhost:${port}`,
    dataDir,
    readyMs: performance.now() - began,
    output: () => printed,
    stop,
    async restart() {
      await end(child, 'SIGKILL')
      return startProduct({ ...start, port, dataDir })
    },
  }
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  child.kill(signal)
  await gone
}
