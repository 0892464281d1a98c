import { BACKGROUND_SCRIPT } from '#schema/port/service'
import { reportFetched } from './fetched.ts'
import { session } from './session.ts'

/** Chromium's Background Sync [SYNC 6], in a service worker whose scope has no pages. */

/** Registration downloads the script: not before the first screen has loaded. */
const IDLE_MS = 10_000
const SCOPE = '/background/'

export function deliversClosed() {
  return 'SyncManager' in globalThis
}

export function readyToDeliver() {
  if (session().token !== null) setTimeout(() => void registered().catch(() => undefined), IDLE_MS)
}

export async function deliverLater() {
  try {
    const registration = await registered()
    // Not in the types: { sync: { register(tag) } }.
    const sync: unknown = registration && Reflect.get(registration, 'sync')
    const register: unknown =
      typeof sync === 'object' && sync !== null ? Reflect.get(sync, 'register') : null
    if (typeof register === 'function') await register.call(sync, 'outbox')
  } catch (error) {
    console.warn('background', error)
  }
}

async function registered() {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator) || !deliversClosed()) return null
  // `getRegistration` would find the app's own worker, whose scope contains this one.
  const known = (await navigator.serviceWorker.getRegistrations()).find(
    ({ scope }) => new URL(scope).pathname === SCOPE,
  )
  if (known) return known
  const registration = await navigator.serviceWorker.register('/background.js', { scope: SCOPE })
  reportFetched(BACKGROUND_SCRIPT)
  return registration
}
