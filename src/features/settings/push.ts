import { PUSH_KEY_BYTES, SERVICE_WORKER_WAIT_MS } from '#schema/limits'
import type { Language } from '#schema/wire/shapes'
import { ask } from '../../data/ask.ts'
import { keyOf } from './pushKey.ts'
import type { pushTexts } from './pushTexts.ts'

/** [S4.07], by the name of its text. */
export type PushResult = keyof typeof pushTexts

/** Signing out must not hang on a service worker [S9.17]. */
const LEAVE_WAIT_MS = SERVICE_WORKER_WAIT_MS / 2

export function pushSupported() {
  return 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window
}

export async function pushEnabled() {
  const subscription = await current()
  return subscription !== null && Notification.permission === 'granted'
}

export async function enablePush(language: Language): Promise<PushResult> {
  if (!isSecureContext) return 'insecure'
  if (!pushSupported()) return 'unsupported'
  const permission = await Notification.requestPermission()
  if (permission !== 'granted') return permission === 'denied' ? 'denied' : 'not_granted'
  const config = await ask('push.config', {})
  if (config.kind === 'later') return 'no_network'
  const key = config.kind === 'done' ? keyOf(config.answer.vapid_public_key) : null
  if (key === null) return 'key_missing'
  if (key.length !== PUSH_KEY_BYTES) return 'key_length'
  const registration = await ready(SERVICE_WORKER_WAIT_MS)
  if (!registration) return 'sw_not_ready'
  const subscription = await subscribe(registration, key)
  return typeof subscription === 'string' ? subscription : save(subscription, language)
}

export async function disablePush(): Promise<PushResult> {
  const subscription = await current()
  if (!subscription) return 'disabled'
  await ask('push.unsubscribe', { endpoint: subscription.endpoint })
  await subscription.unsubscribe()
  return 'disabled'
}

/** [S4.05]: the server's subscription ends with the session. */
export async function leavePush() {
  try {
    const subscription = await current()
    await Promise.race([subscription?.unsubscribe(), after(LEAVE_WAIT_MS)])
  } catch {}
}

async function current(): Promise<PushSubscription | null> {
  if (!pushSupported()) return null
  const registration = await navigator.serviceWorker.getRegistration()
  return (await registration?.pushManager.getSubscription()) ?? null
}

async function subscribe(
  registration: ServiceWorkerRegistration,
  key: Uint8Array<ArrayBuffer>,
): Promise<PushSubscription | PushResult> {
  try {
    // With another key it can never be used again.
    const old = await registration.pushManager.getSubscription()
    if (old && String(bytesOf(old.options.applicationServerKey)) !== String(key))
      await old.unsubscribe()
    return await registration.pushManager.subscribe({
      userVisibleOnly: true,
      applicationServerKey: key,
    })
  } catch (error) {
    const name = error instanceof DOMException ? error.name : ''
    if (name === 'NotAllowedError') return 'denied'
    if (name === 'InvalidStateError') return 'invalid_state'
    return name === 'AbortError' ? 'service_error' : 'subscribe_failed'
  }
}

async function save(subscription: PushSubscription, lang: Language): Promise<PushResult> {
  const { keys, endpoint } = subscription.toJSON()
  if (endpoint === undefined || keys === undefined) return 'subscribe_failed'
  const outcome = await ask('push.subscribe', {
    endpoint,
    p256dh: keys['p256dh'] ?? '',
    auth: keys['auth'] ?? '',
    lang,
  })
  if (outcome.kind === 'done') return 'ok'
  return outcome.kind === 'signed-out' ? 'unauthenticated' : 'save_failed'
}

const bytesOf = (buffer: ArrayBuffer | null) => new Uint8Array(buffer ?? [])

async function ready(waitMs: number) {
  return Promise.race([navigator.serviceWorker.ready, after(waitMs)])
}

function after(ms: number): Promise<null> {
  return new Promise((resolve) => setTimeout(() => resolve(null), ms))
}
