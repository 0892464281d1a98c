/** What page and service worker say to each other [S4.24, S4.22, SYNC 9]. */

/** Page to service worker. */
export type ToService =
  /** "Update now" [S4.22]. */
  | { readonly type: 'skip-waiting' }
  /** The page came while the worker was starting for the first time, or past it: it is taken over now. */
  | { readonly type: 'claim' }
  /** The app has time and the network is not metered: keep the screens that were not opened yet, too. */
  | { readonly type: 'keep-all' }
  | { readonly type: 'notification:mark-read'; readonly id: string }
  | { readonly type: 'nav'; readonly url: string }
  | { readonly type: 'notification:event'; readonly payload: ShownNotification }

/** Service worker to page. */
export type FromService =
  | { readonly type: 'nav'; readonly url: string }
  | { readonly type: 'notification:mark-read'; readonly id: string }
  /** A push came in: the engine receives it by its one door. */
  | { readonly type: 'notification:event'; readonly payload: ShownNotification }
  /** The outbox changed while no tab was looking. */
  | { readonly type: 'outbox' }
  /** What it fetched, to one tab alone. */
  | { readonly type: 'fetched'; readonly files: readonly Fetched[] }

/** Of an entry of the browser's resource timing: the address, and what came over the network, 0 from a cache. */
export interface Fetched {
  readonly name: string
  readonly transferSize: number
}

/** The payload of a push [API 13.3], and what the page asks to be shown. */
export interface ShownNotification {
  readonly id: string | null
  readonly event: string | null
  readonly event_id: string
  readonly title: string
  readonly body: string
  readonly tag: string
  readonly url: string
  readonly icon: string | null
  readonly image: string | null
  readonly badge_count: number
}

/** Bytes over the network. */
export interface Traffic {
  readonly sent: number
  readonly received: number
}

/** A request's headers without its path (Chromium, HTTP/1.1). A worker's have no client hints. */
export const REQUEST_BYTES = { page: 515, worker: 340 }
/** `transferSize` takes an answer's headers for 300 bytes (Resource Timing 3); those of a file are so much longer. */
const ANSWER_BYTES = 80
/** At each visit the browser asks whether the service worker's script changed. No timing tells of it. */
export const SCRIPT_CHECK: Traffic = { sent: 500, received: 750 }

/** What these files took over the network. A photo that the service worker fetches has the headers of the page's own request. */
export function trafficOf(files: readonly unknown[], by: keyof typeof REQUEST_BYTES): Traffic {
  const traffic = { sent: 0, received: 0 }
  for (const file of files) {
    if (!isFetched(file) || file.transferSize === 0) continue
    const path = file.name.replace(/^https?:\/\/[^/]+/, '')
    traffic.sent += REQUEST_BYTES[path.startsWith('/media/') ? 'page' : by] + path.length
    traffic.received += file.transferSize + ANSWER_BYTES
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

/** Caches by name. `SCREENS` and `OWN_PICTURES` belong to a person and go with signing out. */
export const SCREENS = 'screens'
export const PICTURES = 'pictures'
export const PRIVATE_PICTURES = 'own-pictures'
export const ASSETS = 'assets'
/** Empty: it stands while data is saved, and then an update's files wait (a service worker reads no local storage). */
export const SAVE_DATA = 'save-data'
/** Begins the names of the caches of shells, one a build. */
export const SHELL = 'core'

/** The entry of `SCREENS` that says for whom they were kept, in the header `KEPT_FOR` as each of them. */
export const SCREENS_OF = '/screens-of'
/** Headers of a kept screen. */
export const CACHED_FOR = 'x-kept-for'
export const CACHED_BUILD = 'x-kept-build'
