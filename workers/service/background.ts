import { APP_NAME } from '#schema/app'
import { deliverInBackground } from '#sync/background'
import { createMeter } from '#sync/network/meter'
import { commands } from '#sync/nouns/commands'
import { openDeviceDb } from '#sync/outbox/deviceDb'
import { tableOn } from '#sync/outbox/firstWrite'
import { browserOutside } from '../browser.ts'

/** Sends the outbox when every tab is closed [SYNC 6]. */
declare const self: ServiceWorkerGlobalScope

self.addEventListener('install', (event) => event.waitUntil(self.skipWaiting()))

// Chromium's, not in the standard types.
self.addEventListener('sync', (event) => {
  if (event instanceof ExtendableEvent) event.waitUntil(deliver())
})

const outside = browserOutside(() => undefined)

/** The browser fires the event again after a rejection. */
async function deliver() {
  const device = await openDeviceDb(APP_NAME.toLowerCase(), { ...outside, factory: indexedDB })
  const table = tableOn(device, outside.newId)
  const photo = async (id: string) => (await (await device.open()).drafts()).photo(id)
  const meter = createMeter(outside, device)
  try {
    if (await deliverInBackground(outside, table, commands, photo, meter))
      throw new Error('the outbox waits for a network')
  } finally {
    table.close()
  }
}
