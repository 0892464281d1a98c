import { APP_NAME } from '#schema/app'
import { deliverInBackground } from '#sync/background'
import { Meter } from '#sync/network/meter'
import { commands } from '#sync/nouns/commands'
import { openDeviceDb } from '#sync/outbox/deviceDb'
import { readPhoto } from '#sync/outbox/photo'
import { browserOutside } from '../browser.ts'

/**
 * A service worker of its own, under a scope without pages: delivers what waits when every tab is closed [SYNC 6]. It is
 * registered when something first waits, so that a first visit does not pay for it.
 */
declare const self: ServiceWorkerGlobalScope

self.addEventListener('install', (event) => event.waitUntil(self.skipWaiting()))

// `sync` is Chromium's alone, and in no standard library.
self.addEventListener('sync', (event) => {
  if (event instanceof ExtendableEvent) event.waitUntil(deliver())
})

const outside = browserOutside(() => undefined)

/** Rejects while something still waits for a network: then the browser calls again. */
async function deliver(): Promise<void> {
  const name = APP_NAME.toLowerCase()
  const { table, meter } = await openDeviceDb(`${name}-phone`, { ...outside, factory: indexedDB })
  try {
    if (
      await deliverInBackground(
        outside,
        table,
        commands,
        (id) => readPhoto(indexedDB, `${name}-drafts`, id),
        new Meter(outside, meter),
      )
    )
      throw new Error('the outbox waits for a network')
  } finally {
    table.close()
  }
}
