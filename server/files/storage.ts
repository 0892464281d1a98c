import { randomUUID } from 'node:crypto'
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { codeOf } from '../error-code.ts'

/**
 * A key is `images/<hash>/<width>.<format>` (or `avatars/`, `attachments/`); its bytes never
 * change.
 */
export interface FileStore {
  /** Resolves once the bytes are durable. Storing a key again is harmless. */
  put(key: string, bytes: Uint8Array): Promise<void>
  get(key: string): Promise<Uint8Array | null>
  /** Removes every key below `folder`; an absent one is no error. */
  remove(folder: string): Promise<void>
}

/** Renamed when complete: neither a reader nor a crash sees a partial file. */
export function folderStore(root: string): FileStore {
  return {
    async put(key, bytes) {
      const path = join(root, key)
      await mkdir(dirname(path), { recursive: true })
      const unfinished = `${path}.${randomUUID()}.part`
      try {
        const file = await open(unfinished, 'w')
        try {
          await file.writeFile(bytes)
          await file.sync()
        } finally {
          await file.close()
        }
        await rename(unfinished, path)
      } catch (error) {
        await rm(unfinished, { force: true })
        throw error
      }
    },
    async get(key) {
      try {
        return await readFile(join(root, key))
      } catch (error) {
        if (['ENOENT', 'ENOTDIR'].includes(codeOf(error) ?? '')) return null
        throw error
      }
    },
    async remove(folder) {
      await rm(join(root, folder), { recursive: true, force: true })
    },
  }
}

/** Disk space, file handles or memory: a temporary condition, not the request's fault. */
export const isExhausted = (error: unknown) =>
  ['ENOSPC', 'EDQUOT', 'EMFILE', 'ENFILE', 'ENOMEM', 'EIO', 'EROFS'].includes(codeOf(error) ?? '')

const TYPES: Record<string, string> = { webp: 'image/webp', jpg: 'image/jpeg', avif: 'image/avif' }

export const typeOf = (key: string) =>
  TYPES[key.slice(key.lastIndexOf('.') + 1)] ?? 'application/octet-stream'
