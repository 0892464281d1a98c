import { createHash, randomBytes } from 'node:crypto'

/** 32 random bytes as 43 characters; the database stores only the hash (`hashOf`). */
export const newToken = (): string => randomBytes(32).toString('base64url')

export const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()
