import { tellFetched } from './fetched.ts'
import { session } from './session.ts'

/**
 * The browser delivers what waits when every tab is closed [SYNC 6]: Chromium's Background Sync, through a service worker
 * of its own under a scope without pages. Elsewhere what waits goes when the app is next opened.
 */

/** Only with a network can it be fetched: so it is, once somebody is signed in and the first screen is long there. */
const IDLE_MS = 10_000
const SCOPE = '/background/'
/** No timeline of the browser's names the script of a service worker; pressed, with headers, this one takes so much. */
const SCRIPT_BYTES = { sent: 450, received: 23_200 }

/** Whether this browser delivers what waits with every tab closed. */
export function deliversClosed(): boolean {
  return 'SyncManager' in globalThis
}

export function readyToDeliver(): void {
  if (session().token !== null) setTimeout(() => void registered().catch(() => undefined), IDLE_MS)
}

export async function deliverLater(): Promise<void> {
  try {
    const registration = await registered()
    // In no standard library: { sync: { register(tag) } }.
    const sync: unknown = registration && Reflect.get(registration, 'sync')
    const register: unknown =
      typeof sync === 'object' && sync !== null ? Reflect.get(sync, 'register') : null
    if (typeof register === 'function') await register.call(sync, 'outbox')
  } catch (error) {
    console.warn('background', error)
  }
}

async function registered(): Promise<ServiceWorkerRegistration | null> {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator) || !deliversClosed()) return null
  // `getRegistration` would answer the app's own one, whose scope holds this.
  const known = (await navigator.serviceWorker.getRegistrations()).find(
    ({ scope }) => new URL(scope).pathname === SCOPE,
  )
  if (known) return known
  const registration = await navigator.serviceWorker.register('/background.js', { scope: SCOPE })
  tellFetched(SCRIPT_BYTES)
  return registration
}
