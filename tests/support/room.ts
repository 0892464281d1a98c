import type { CDPSession, Page } from '@playwright/test'

/** Storage quota of the app, small so that it can be filled. */
const ROOM = 24 * 1024 * 1024

/** A device's storage, which other data fills and frees. */
export class Room {
  readonly #page: Page
  readonly #origin: string
  readonly #session: CDPSession

  private constructor(page: Page, origin: string, session: CDPSession) {
    this.#page = page
    this.#origin = origin
    this.#session = session
  }

  /** `page`: on the app's origin without the app, opened first, as browsers cache the quota. */
  static async of(page: Page): Promise<Room> {
    const { origin } = new URL(page.url())
    const session = await page.context().newCDPSession(page)
    await session.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: ROOM })
    return new Room(page, origin, session)
  }

  /** Fills it until between `left` and `left` + 600 bytes are free. */
  async fill(left = 0): Promise<void> {
    await this.#page.evaluate(
      async ([spare, least]) => {
        const openDatabase = (name: string): Promise<IDBDatabase> =>
          new Promise((resolve) => {
            const open = indexedDB.open(name, 1)
            open.addEventListener('upgradeneeded', () =>
              open.result.createObjectStore('films', { autoIncrement: true }),
            )
            open.addEventListener('success', () => resolve(open.result))
          })
        const fits = (database: IDBDatabase, size: number): Promise<boolean> =>
          new Promise((resolve) => {
            const transaction = database.transaction('films', 'readwrite', { durability: 'strict' })
            transaction.addEventListener('complete', () => resolve(true))
            transaction.addEventListener('abort', () => resolve(false))
            transaction.objectStore('films').add(new Blob([new Uint8Array(size)]))
          })
        // Other writes may need the space that is left by halving: it is set aside instead.
        const reserve = await openDatabase('reserve')
        if (spare > 0) await fits(reserve, spare)
        const films = await openDatabase('other apps')
        for (let size = 4 * 1024 * 1024; size >= least;)
          if (!(await fits(films, size))) size = Math.floor(size / 2)
        films.close()
        reserve.close()
        await new Promise((resolve) =>
          indexedDB.deleteDatabase('reserve').addEventListener('success', resolve),
        )
      },
      [left, 300] as const,
    )
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
