import { hash, randomBytes } from 'node:crypto'

/** 43 characters; the database stores only the hash. */
export const newToken = () => randomBytes(32).toString('base64url')

export const hashOf = (token: string): Buffer => hash('sha256', token, 'buffer')

/** Tells texts apart without storing them. */
export const shortHash = (text: string) => hash('sha256', text, 'base64url').slice(0, 22)
