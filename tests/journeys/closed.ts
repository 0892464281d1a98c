import type { CDPSession, Page } from '@playwright/test'
import { expect, type Device } from './device.ts'

const SCOPE = '/background/'

/**
 * Background delivery with every tab closed. These journeys cannot cut the machine's network, so
 * DevTools dispatches the browser's sync event.
 */
export class Background {
  readonly #cdp: CDPSession
  readonly #origin: string
  readonly #registration: Promise<string>

  private constructor(cdp: CDPSession, origin: string) {
    this.#cdp = cdp
    this.#origin = origin
    this.#registration = new Promise((resolve) => {
      cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
        const ours = registrations.find(
          ({ scopeURL, isDeleted }) => scopeURL === `${origin}${SCOPE}` && !isDeleted,
        )
        if (ours) resolve(ours.registrationId)
      })
    })
  }

  /** Opens an empty tab, because no tab of the app is needed. */
  static async of(device: Device): Promise<Background> {
    const empty = await device.context.newPage()
    const cdp = await device.context.newCDPSession(empty)
    const background = new Background(cdp, device.url)
    await cdp.send('ServiceWorker.enable')
    return background
  }

  async networkIsBack(): Promise<void> {
    await this.#cdp.send('ServiceWorker.dispatchSyncEvent', {
      origin: this.#origin,
      registrationId: await this.#registration,
      tag: 'outbox',
      lastChance: false,
    })
  }
}

/** Waits for the delivery service worker, which cannot be fetched without a network. */
export async function canDeliverInBackground(page: Page): Promise<void> {
  const scopes = () =>
    page.evaluate(async () =>
      (await navigator.serviceWorker.getRegistrations())
        .filter(({ active }) => active)
        .map(({ scope }) => new URL(scope).pathname),
    )
  await expect.poll(scopes).toContain(SCOPE)
}
