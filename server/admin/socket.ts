import { hash } from 'node:crypto'
import { chmod, readlink, rm, symlink } from 'node:fs/promises'
import { createConnection, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { once } from 'node:events'
import * as v from 'valibot'
import { jsonOf, parsed } from '#schema/parsed'
import type { Services } from '../route/index.ts'
import type { Outcome } from './command.ts'
import { type Order, order, runCommand } from './run.ts'

const MOST = 1024 * 1024

/** A path may have about a hundred bytes: a longer folder gets a short symlink. */
export async function pathIn(dataDir: string) {
  const path = join(dataDir, 'admin.sock')
  const mark = hash('sha256', dataDir, 'hex').slice(0, 16)
  if (process.platform === 'win32') return `\\\\.\\pipe\\yaar-${mark}`
  if (Buffer.byteLength(path) < 100) return path
  const short = join(tmpdir(), `yaar-${mark}`)
  await symlink(dataDir, short).catch(() => undefined)
  if ((await readlink(short)) !== dataDir) throw new Error(`${short} is not ours`)
  return join(short, 'admin.sock')
}
const outcome = v.object({
  code: v.picklist([0, 1, 2]),
  lines: v.array(v.string()),
  data: v.optional(v.unknown()),
})

/** Only the server's own user may connect [API 16]. */
export async function openAdmin(services: Services): Promise<{ close(): Promise<void> }> {
  const path = await pathIn(services.config.dataDir)
  // Servers may share a folder with one PostgreSQL: the first one listens.
  const other = await connect(path)
  other?.destroy()
  if (other !== null) return { close: async () => undefined }
  const file = process.platform !== 'win32'
  if (file) await rm(path, { force: true })
  const silent = new Set<Socket>()
  const server = createServer((socket) => void serve(services, socket, silent))
  const mask = process.umask(0o177)
  server.listen(path)
  try {
    await once(server, 'listening')
  } finally {
    process.umask(mask)
  }
  server.on('error', (error) => services.log.error({ err: error }, 'the admin socket failed'))
  if (file) await chmod(path, 0o600)
  return {
    async close() {
      server.close()
      // Silent clients must not delay the stop.
      for (const socket of silent) socket.destroy()
      await once(server, 'close')
    },
  }
}

async function serve(services: Services, socket: Socket, silent: Set<Socket>) {
  socket.on('error', () => undefined)
  silent.add(socket)
  const line = await lineOf(socket)
  silent.delete(socket)
  const asked = parsed(order, jsonOf(line))
  const result: Outcome =
    asked === null ? { code: 2, lines: ['not understood'] } : await run(services, asked)
  socket.end(`${JSON.stringify(result)}\n`)
}

async function run(services: Services, asked: Order): Promise<Outcome> {
  try {
    return await runCommand(services, asked)
  } catch (error) {
    services.log.error({ err: error, command: asked.argv[0] }, 'admin command failed')
    return { code: 1, lines: [error instanceof Error ? error.message : 'failed'] }
  }
}

export async function askServer(dataDir: string, asked: Order): Promise<Outcome | null> {
  const socket = await connect(await pathIn(dataDir))
  if (socket === null) return null
  socket.write(`${JSON.stringify(asked)}\n`)
  const result = parsed(outcome, jsonOf(await lineOf(socket)))
  socket.destroy()
  return result === null
    ? { code: 1, lines: ['the server broke off'] }
    : { ...result, data: result.data }
}

async function connect(path: string): Promise<Socket | null> {
  const socket = createConnection(path)
  return once(socket, 'connect').then(
    () => socket,
    () => null,
  )
}

async function lineOf(socket: Socket) {
  let text = ''
  try {
    for await (const part of socket.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
      text += String(part)
      if (text.includes('\n') || text.length > MOST) break
    }
  } catch {
    // cut off: the partial text is parsed as it is
  }
  return text
}
