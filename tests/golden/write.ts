import 'fake-indexeddb/auto'
import { isDeepStrictEqual } from 'node:util'
import { NAME, readRelease, releases, shapes, STORES, writeRelease } from './folder.ts'
import { fill } from './fill.ts'
import { deviceHere } from './outside.ts'

/** `npm run golden`: stores what this build writes; with unchanged shapes in the newest folder. */
async function write(): Promise<void> {
  const last = releases().at(-1) ?? 0
  const release =
    last > 0 && isDeepStrictEqual(readRelease(last, 'shapes'), shapes()) ? last : last + 1
  const database = await deviceHere(NAME)
  await fill({ ...(await database.open()), table: database.table }, await database.drafts())
  for (const store of STORES) await writeRelease(release, store, await rowsOf(store))
  await writeRelease(release, 'shapes', shapes())
  console.log(`tests/golden/v${release}`)
}

function rowsOf(store: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const open = indexedDB.open(`${NAME}-phone`)
    open.addEventListener('error', () => reject(new Error(store)))
    open.addEventListener('success', () => {
      const rows = open.result.transaction(store).objectStore(store).getAll()
      rows.addEventListener('success', () => {
        open.result.close()
        resolve(rows.result)
      })
    })
  })
}

await write()
process.exit(0)
