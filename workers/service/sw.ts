import { cleanupOutdatedCaches, precacheAndRoute } from 'workbox-precaching'
import { NavigationRoute, registerRoute } from 'workbox-routing'
import { asset, keepAll } from './assets.ts'
import { close, open, pushed, read, show, tapped } from './notifications.ts'
import { picture } from './pictures.ts'
import { core, scope } from './scope.ts'
import { screen } from './screens.ts'

/** The service worker: what opens without a network, photos kept, pushes shown, and the outbox when every tab is closed. */

// Before the files: the list of files would answer `/` with the bare shell.
registerRoute(new NavigationRoute(({ request }) => screen(request), { denylist: [/^\/(api|media|ws|metrics)\b/, /\/[^/]+\.[a-z0-9]+$/i] }))
precacheAndRoute(core, { ignoreURLParametersMatching: [] })
cleanupOutdatedCaches()

registerRoute(({ url, sameOrigin }) => sameOrigin && url.pathname.startsWith('/assets/'), ({ request }) => asset(request))
registerRoute(({ url, sameOrigin }) => sameOrigin && url.pathname.startsWith('/media/'), ({ request }) => picture(request))

scope.addEventListener('activate', (event) => event.waitUntil(scope.clients.claim()))
scope.addEventListener('push', (event) => event.waitUntil(pushed(event.data)))
scope.addEventListener('notificationclick', (event) => event.waitUntil(tapped(event.notification)))

scope.addEventListener('message', (event) => {
  const said: unknown = event.data
  if (typeof said !== 'object' || said === null) return
  const type: unknown = Reflect.get(said, 'type')
  if (type === 'skip-waiting') event.waitUntil(scope.skipWaiting())
  if (type === 'keep-all') event.waitUntil(keepAll())
  const id: unknown = Reflect.get(said, 'id')
  if (type === 'notification:mark-read' && typeof id === 'string') event.waitUntil(close(id))
  const url: unknown = Reflect.get(said, 'url')
  if (type === 'nav' && typeof url === 'string') event.waitUntil(open(url))
  const payload = read(Reflect.get(said, 'payload'))
  if (type === 'notification:event' && payload) event.waitUntil(show(payload))
})
