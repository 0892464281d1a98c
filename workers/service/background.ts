import { APP_NAME } from '#schema/app'
import { deliverInBackground } from '#sync/background'
import { createMeter } from '#sync/network/meter'
import { commands } from '#sync/nouns/commands'
import { openDeviceDb } from '#sync/outbox/deviceDb'
import { tableOn } from '#sync/outbox/firstWrite'
import { browserOutside } from '../browser.ts'

/** A separate service worker without pages: sends the outbox when every tab is closed [SYNC 6]. */
declare const self: ServiceWorkerGlobalScope

self.addEventListener('install', (event) => event.waitUntil(self.skipWaiting()))

// `sync` exists only in Chromium, and not in the standard types.
self.addEventListener('sync', (event) => {
  if (event instanceof ExtendableEvent) event.waitUntil(deliver())
})

const outside = browserOutside(() => undefined)

/** Rejects while commands remain unsent: the browser then fires the event again. */
async function deliver(): Promise<void> {
  const device = await openDeviceDb(APP_NAME.toLowerCase(), { ...outside, factory: indexedDB })
  const table = tableOn(device, outside.newId)
  try {
    if (
      await deliverInBackground(
        outside,
        table,
        commands,
        async (id) => (await device.drafts()).photo(id),
        createMeter(outside, device.meter),
      )
    )
      throw new Error('the outbox waits for a network')
  } finally {
    table.close()
  }
}
