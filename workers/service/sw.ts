import { SAVE_DATA } from '#schema/port/service'
import { asset, keepAll, routeAssets } from './assets.ts'
import { claim, isScreen } from './claim.ts'
import { coreFile, keepCore, replaceCores } from './core.ts'
import { countFetched } from './fetched.ts'
import { close, open, pushed, read, show, tapped } from './notifications.ts'
import { picture } from './pictures.ts'
import { filesOf, renewed } from './fileLists.ts'
import { scope } from './scope.ts'
import { screen } from './screens.ts'
import { isShare, keepShare } from './share.ts'

countFetched()
scope.addEventListener('install', (event) => {
  routeAssets(event)
  event.waitUntil(install())
})
scope.addEventListener('activate', (event) => event.waitUntil(replaceCores()))

scope.addEventListener('fetch', (event) => {
  const { request } = event
  const url = new URL(request.url)
  if (isShare(request)) return event.respondWith(keepShare(request))
  if (request.method !== 'GET' || url.origin !== scope.location.origin) return
  const { pathname } = url
  if (request.mode === 'navigate') {
    if (isScreen(pathname)) event.respondWith(screen(request))
  } else if (pathname.startsWith('/assets/')) event.respondWith(asset(request))
  else if (pathname.startsWith('/media/')) event.respondWith(picture(request))
  else if (/^\/(index\.html|manifest\.webmanifest|icon\.svg)$/.test(pathname))
    event.respondWith(shell(request, pathname))
})

scope.addEventListener('push', (event) => event.waitUntil(pushed(event.data)))
scope.addEventListener('notificationclick', (event) => event.waitUntil(tapped(event.notification)))

scope.addEventListener('message', (event) => {
  const message: unknown = event.data
  if (typeof message !== 'object' || message === null) return
  const { type, id, url, payload, files }: Readonly<Record<string, unknown>> = { ...message }
  if (type === 'skip-waiting') event.waitUntil(scope.skipWaiting())
  if (type === 'claim') event.waitUntil(claim(event.source))
  if (type === 'keep') event.waitUntil(keepAll(filesOf(files)))
  if (type === 'notification:mark-read' && typeof id === 'string') event.waitUntil(close(id))
  if (type === 'nav' && typeof url === 'string') event.waitUntil(open(url))
  const shown = read(payload)
  if (type === 'notification:event' && shown) event.waitUntil(show(shown))
})

/** An update caches first what this device has; in save-data mode only if the user asks for it. */
async function install() {
  const first = scope.registration.active === null
  if (!first && (await caches.has(SAVE_DATA))) throw new Error(SAVE_DATA)
  await keepCore()
  if (!first) await keepAll(await renewed())
}

async function shell(request: Request, pathname: string) {
  return (await coreFile(pathname)) ?? fetch(request)
}
