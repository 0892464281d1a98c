import type { CDPSession, Page } from '@playwright/test'

/** Storage quota of the app, small so that it can be filled. */
const ROOM = 24 * 1024 * 1024
/** The smallest row that fills it, in bytes. */
const REST = 300

/** A device's storage, which other data fills and frees. */
export class StorageQuota {
  readonly #page: Page
  readonly #origin: string
  readonly #session: CDPSession

  private constructor(page: Page, origin: string, session: CDPSession) {
    this.#page = page
    this.#origin = origin
    this.#session = session
  }

  /** `page`: on the app's origin without the app, opened first, as browsers cache the quota. */
  static async of(page: Page): Promise<StorageQuota> {
    const { origin } = new URL(page.url())
    const session = await page.context().newCDPSession(page)
    await session.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: ROOM })
    return new StorageQuota(page, origin, session)
  }

  /** Fills it until about `left` bytes are free. Filling leaves a random rest, the quota does not. */
  async fill(left: number): Promise<void> {
    await this.#page.evaluate(async (least) => {
      const open = indexedDB.open('other apps', 1)
      open.addEventListener('upgradeneeded', () =>
        open.result.createObjectStore('films', { autoIncrement: true }),
      )
      const database = await new Promise<IDBDatabase>((resolve) =>
        open.addEventListener('success', () => resolve(open.result)),
      )
      const fits = (size: number): Promise<boolean> =>
        new Promise((resolve) => {
          const transaction = database.transaction('films', 'readwrite', { durability: 'strict' })
          transaction.addEventListener('complete', () => resolve(true))
          transaction.addEventListener('abort', () => resolve(false))
          transaction.objectStore('films').add(new Blob([new Uint8Array(size)]))
        })
      for (let size = 4 * 1024 * 1024; size >= least;)
        if (!(await fits(size))) size = Math.floor(size / 2)
      database.close()
    }, REST)
    await this.#session.send('Storage.overrideQuotaForOrigin', {
      origin: this.#origin,
      quotaSize: ROOM + left - REST,
    })
  }

  async free(): Promise<void> {
    await this.#page.evaluate(
      () =>
        new Promise<void>((resolve, reject) => {
          const asked = indexedDB.deleteDatabase('other apps')
          asked.addEventListener('success', () => resolve())
          asked.addEventListener('error', () => reject(new Error('still open')))
        }),
    )
    await this.#session.send('Storage.overrideQuotaForOrigin', { origin: this.#origin })
  }
}
