import type { PushPayload } from '../wire/push.ts'

/** [S4.24, S4.22, SYNC 9] */

type EitherWay =
  | { type: 'notification:mark-read'; id: string }
  | { type: 'nav'; url: string }
  /** A push: for the engine an event like any other. */
  | { type: 'notification:event'; payload: ShownNotification }

export type ToService = Readonly<
  | EitherWay
  | { type: 'skip-waiting' }
  /** Control this page, which loaded without the worker, as after a forced reload. */
  | { type: 'claim' }
  /** Cache a set of files, or these paths. */
  | { type: 'keep'; files: KeptFiles | readonly string[] }
>

/**
 * outbox: what opens and sends it, and a listing · offline: every screen that an offline start
 * needs · all.
 */
export type KeptFiles = 'outbox' | 'offline' | 'all'

export type FromService = Readonly<
  | EitherWay
  /** Changed while no tab was watching. */
  | { type: 'outbox' }
  /** Traffic of the service worker, sent to one tab only. */
  | { type: 'fetched'; files: readonly Fetched[] }
>

/** As in `PerformanceResourceTiming`, bytes; 0: from a cache. */
export type Fetched = Readonly<{ name: string; transferSize: number }>

/** Of a push [API 13.3], or a notification that the page asks to show. */
export type ShownNotification = Readonly<
  Required<Omit<PushPayload, 'v' | 'ts' | 'severity' | 'conversation_id' | 'listing_id' | 'meta'>>
>

export type Traffic = Readonly<Record<'sent' | 'received', number>>

/** Request headers without the path (Chromium, HTTP/1.1). A worker sends no client hints. */
export const REQUEST_BYTES = { page: 515, worker: 340 }
/** `transferSize` assumes 300 bytes of response headers; those of files are so much longer. */
const ANSWER_BYTES = { asset: 140, other: 80 }
/** The browser's update check, once per visit, without an entry. */
export const SCRIPT_CHECK: Traffic = { sent: 500, received: 750 }
/** background.js, compressed, with headers, also without an entry. A journey checks the size. */
export const BACKGROUND_SCRIPT: Traffic = { sent: 450, received: 59_400 }

/** An estimate. A photo that the service worker fetches has the page's own request headers. */
export function trafficOf(files: readonly unknown[], by: keyof typeof REQUEST_BYTES): Traffic {
  const traffic = { sent: 0, received: 0 }
  for (const file of files) {
    if (!isFetched(file) || file.transferSize === 0) continue
    const path = file.name.replace(/^https?:\/\/[^/]+/, '')
    traffic.sent += REQUEST_BYTES[path.startsWith('/media/') ? 'page' : by] + path.length
    traffic.received +=
      file.transferSize + ANSWER_BYTES[path.startsWith('/assets/') ? 'asset' : 'other']
  }
  return traffic
}

function isFetched(file: unknown): file is Fetched {
  return (
    typeof file === 'object' &&
    file !== null &&
    'name' in file &&
    typeof file.name === 'string' &&
    'transferSize' in file &&
    typeof file.transferSize === 'number'
  )
}

/** Caches. `SCREENS` and `PRIVATE_PICTURES` belong to a user and are deleted at sign-out. */
export const SCREENS = 'screens'
export const PICTURES = 'pictures'
export const PRIVATE_PICTURES = 'own-pictures'
export const ASSETS = 'assets'
/** Exists while data saver is on, and updates wait: a service worker cannot read local storage. */
export const SAVE_DATA = 'save-data'
/** Prefix of the app shell caches, one per build. */
export const SHELL = 'core'

/** Entry of `SCREENS`; its header `CACHED_FOR` names the user whose screens are cached. */
export const SCREENS_OF = '/screens-of'
export const CACHED_FOR = 'x-kept-for'
export const CACHED_BUILD = 'x-kept-build'
