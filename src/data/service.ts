import { UPDATE_CHECK_MS } from '#schema/limits'
import { SAVE_DATA, type ToService, trafficOf } from '#schema/port/service'
import { useSyncExternalStore } from 'react'
import { ask } from './ask.ts'
import { reportFetched } from './fetched.ts'
import { onServiceMessage } from './serviceMessages.ts'
import { savesData } from './saveData.ts'
import { signal } from './signal.ts'

/** Compressed, with headers: no timing entry covers a service worker's script. */
const SCRIPT_BYTES = { sent: 450, received: 4900 }

let waiting: ServiceWorker | null = null
/** Save-data mode delays the download of a new version. */
let held = false
let wanted = false
const changes = signal()

interface Callbacks {
  nav(url: string): void
  markRead(id: string): void
}

export async function startService(callbacks: Callbacks) {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  listen(callbacks)
  try {
    const registration = await navigator.serviceWorker.register('/sw.js')
    if (!navigator.serviceWorker.controller) {
      void navigator.serviceWorker.ready.then(({ active }) =>
        postToService({ type: 'claim' }, active),
      )
      repeat('claim')
    }
    look(registration)
    registration.addEventListener('updatefound', () => {
      reportFetched(SCRIPT_BYTES)
      registration.installing?.addEventListener('statechange', ({ target }) =>
        look(registration, target instanceof ServiceWorker && target.state === 'redundant'),
      )
    })
    setInterval(() => {
      if (document.visibilityState === 'visible') void registration.update().catch(() => undefined)
    }, UPDATE_CHECK_MS)
  } catch (error) {
    console.warn('service worker', error)
  }
}

/** [S4.22] */
export function useUpdate() {
  return useSyncExternalStore(
    changes.on,
    () => waiting !== null || held,
    () => false,
  )
}

const REPEAT_MS = 2000
const REPEATS = 30

export function updateNow() {
  const first = !wanted
  wanted = true
  if (held) return void caches.delete(SAVE_DATA).then(takeNewest)
  postToService({ type: 'skip-waiting' }, waiting)
  if (first) repeat('skip-waiting')
}

/** A message is lost if the worker is stopped or replaced before it reads it. */
function repeat(type: 'claim' | 'skip-waiting') {
  let tries = 0
  const timer = setInterval(() => {
    const isClaimed = type === 'claim' && navigator.serviceWorker.controller !== null
    if (isClaimed || ++tries > REPEATS) return clearInterval(timer)
    void navigator.serviceWorker.getRegistration().then((found) => {
      postToService({ type }, (type === 'claim' ? found?.active : found?.waiting) ?? null)
    })
  }, REPEAT_MS)
}

/** The next build, or a reload. */
export async function takeNewest() {
  const registration = await navigator.serviceWorker?.getRegistration().catch(() => undefined)
  await registration?.update().catch(() => undefined)
  const next = registration?.installing ?? registration?.waiting
  if (!next) return location.reload()
  held = false
  waiting = next
  if (next.state === 'installed') return updateNow()
  next.addEventListener(
    'statechange',
    () => (next.state === 'installed' ? updateNow() : location.reload()),
    { once: true },
  )
}

export function postToService(
  what: ToService,
  to: ServiceWorker | null = navigator.serviceWorker.controller,
) {
  to?.postMessage(what)
}

const SAFE_CHECK_MS = 500

/** [SYNC 9]: never during a photo, and with an open form only if its user asked. */
function reloadWhenSafe() {
  if (
    document.querySelector(wanted ? '[data-photo]' : '[data-photo], main form, dialog[open]') ===
    null
  )
    location.reload()
}

/** The very first worker is no update. */
function look(registration: ServiceWorkerRegistration, gone = false) {
  const controlled = navigator.serviceWorker.controller !== null
  const found = controlled ? registration.waiting : null
  const holds = controlled && found === null && (held || (gone && savesData()))
  if (found === waiting && holds === held) return
  waiting = found
  held = holds
  changes.emit()
}

function listen({ nav, markRead }: Callbacks) {
  const controlled = navigator.serviceWorker.controller !== null
  navigator.serviceWorker.addEventListener('controllerchange', () => {
    // The first worker takes over a page that is already current.
    if (controlled || wanted) {
      reloadWhenSafe()
      setInterval(reloadWhenSafe, SAFE_CHECK_MS)
    }
  })
  onServiceMessage((data) => {
    if (typeof data !== 'object' || data === null || !('type' in data)) return
    if (
      data.type === 'nav' &&
      'url' in data &&
      typeof data.url === 'string' &&
      data.url.startsWith('/')
    )
      nav(data.url)
    if (data.type === 'notification:mark-read' && 'id' in data && typeof data.id === 'string')
      markRead(data.id)
    if (data.type === 'notification:event') void ask('push.received', {})
    if (data.type === 'fetched' && 'files' in data && Array.isArray(data.files))
      reportFetched(trafficOf(data.files, 'worker'))
  })
}
