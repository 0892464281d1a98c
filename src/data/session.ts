import type { Language } from '#schema/wire/shapes'
import { useSyncExternalStore } from 'react'
import { useFirstValue } from './firstRender.ts'
import { signal } from './signal.ts'

/** The signed-in user [S4.03], under the storage keys of [S3.20]. */
export type Session = Readonly<{
  token: string | null
  language: Language
  sessionId: string
}>

const TOKEN = 'authToken'
const LANGUAGE = 'appLanguage'
const SESSION_ID = 'session_id'

let now: Session = {
  token: stored(TOKEN),
  language: storedLanguage(),
  sessionId: visitorId(),
}
const visitor: Session = { token: null, language: 'fr', sessionId: '' }
const changes = signal()

export function session(): Session {
  return now
}

export const onSession = changes.on

export function sessionInput() {
  let lasting = false
  try {
    lasting = localStorage.getItem(TOKEN) === now.token
  } catch {}
  return { ...now, lasting }
}

export function useSession(): Session {
  return useSyncExternalStore(onSession, session, useFirstValue(session, visitor))
}

/** `remember` false: gone when the browser closes [S4.03]. */
export function signIn(token: string, remember = true) {
  forget(TOKEN)
  keep(remember ? 'local' : 'session', TOKEN, token)
  change({ ...now, token })
}

export function signOut() {
  forget(TOKEN)
  change({ ...now, token: null })
}

export function rememberLanguage(language: Language) {
  keep('local', LANGUAGE, language)
  change({ ...now, language })
}

if (!import.meta.env.SSR) {
  addEventListener('storage', (event) => {
    if (event.key !== TOKEN && event.key !== LANGUAGE && event.key !== null) return
    change({ ...now, token: stored(TOKEN), language: storedLanguage() })
  })
}

function storedLanguage(): Language {
  return stored(LANGUAGE) === 'en' ? 'en' : 'fr'
}

function change(next: Session) {
  if (next.token === now.token && next.language === now.language) return
  now = next
  changes.emit()
}

function visitorId() {
  if (import.meta.env.SSR) return ''
  const known = stored(SESSION_ID)
  if (known !== null && /^[A-Za-z0-9_-]{8,64}$/.test(known)) return known
  const made = randomHex()
  keep('local', SESSION_ID, made)
  return made
}

/** 16 bytes. Not of `randomUUID`, which insecure contexts lack. */
export function randomHex() {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Storage may be forbidden: the session then lasts as long as the page. */
export function stored(key: string) {
  if (import.meta.env.SSR) return null
  try {
    return localStorage.getItem(key) ?? sessionStorage.getItem(key)
  } catch {
    return null
  }
}

export function keep(where: 'local' | 'session', key: string, value: string) {
  try {
    const storage = where === 'local' ? localStorage : sessionStorage
    storage.setItem(key, value)
  } catch {}
}

export function forget(key: string) {
  try {
    localStorage.removeItem(key)
    sessionStorage.removeItem(key)
  } catch {}
}

/** Of user and language in cached data, without the token (FNV-1a, 32 bits). */
export function mark() {
  let hash = 0x811c9dc5
  for (const letter of now.token ?? '') hash = Math.imul(hash ^ letter.charCodeAt(0), 0x01000193)
  return `${now.language}.${(hash >>> 0).toString(16)}`
}
