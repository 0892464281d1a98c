import { hash } from 'node:crypto'
import { mkdir, open, readFile, realpath, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { codeOf } from '../error-code.ts'

/** `main` reports it and exits with 75. */
export class FolderInUse extends Error {}

/**
 * Two embedded databases in one folder would corrupt it. Linux: an abstract socket, released even
 * by kill -9; elsewhere a file.
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  await mkdir(folder, { recursive: true })
  const real = await realpath(folder)
  return process.platform === 'linux' ? bySocket(real) : byFile(real)
}

async function bySocket(folder: string): Promise<() => Promise<void>> {
  const server = createServer((socket) => socket.destroy())
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.on('error', reject)
  server.listen(`\0yaar-${hash('sha256', folder, 'hex')}`, resolve)
  try {
    await promise
  } catch (error) {
    throw codeOf(error) === 'EADDRINUSE' ? new FolderInUse(folder) : error
  }
  server.unref()
  return () => new Promise((done) => server.close(() => done()))
}

async function byFile(folder: string) {
  const path = join(folder, 'lock')
  try {
    const file = await open(path, 'wx')
    await file.writeFile(`${process.pid}`)
    await file.close()
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
    const holder = Number(await readFile(path, 'utf8'))
    if (isAlive(holder)) throw new FolderInUse(folder)
    await rm(path, { force: true })
    return byFile(folder)
  }
  return () => rm(path, { force: true })
}

function isAlive(pid: number) {
  try {
    return pid > 0 && process.kill(pid, 0)
  } catch {
    return false
  }
}
