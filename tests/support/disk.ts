import type { Page } from '@playwright/test'

/** All rows of a store, from whichever local database has it, read without the app. */
export function rowsOf(page: Page, store: string): Promise<unknown> {
  return page.evaluate(async (wanted) => {
    const found: unknown[] = []
    for (const { name } of await indexedDB.databases()) {
      const rows = await new Promise<readonly unknown[]>((resolve, reject) => {
        const open = indexedDB.open(name ?? '')
        open.addEventListener('error', () => reject(new Error('no database')))
        open.addEventListener('success', () => {
          const database = open.result
          if (!database.objectStoreNames.contains(wanted)) {
            database.close()
            return resolve([])
          }
          const asked: IDBRequest<unknown[]> = database
            .transaction(wanted)
            .objectStore(wanted)
            .getAll()
          asked.addEventListener('success', () => {
            database.close()
            resolve(
              asked.result.map((row) =>
                typeof row === 'object' && row !== null ? { ...row, file: null } : row,
              ),
            )
          })
        })
      })
      found.push(...rows)
    }
    return found
  }, store)
}
