import 'fake-indexeddb/auto'
import { isDeepStrictEqual } from 'node:util'
import { openDrafts } from '#sync/outbox/drafts'
import { openDeviceDb } from '#sync/outbox/deviceDb'
import {
  DRAFT_STORES,
  NAME,
  PHONE_STORES,
  readRelease,
  releases,
  shapes,
  writeRelease,
} from './folder.ts'
import { fill } from './fill.ts'
import { here } from './outside.ts'

/** `npm run golden`: stores what this build writes; with unchanged shapes in the newest folder. */
async function write(): Promise<void> {
  const last = releases().at(-1) ?? 0
  const release =
    last > 0 && isDeepStrictEqual(readRelease(last, 'shapes'), shapes()) ? last : last + 1
  const phone = await openDeviceDb(`${NAME}-phone`, here)
  await fill(
    phone,
    openDrafts(`${NAME}-drafts`, () => Promise.resolve()),
  )
  for (const store of PHONE_STORES)
    await writeRelease(release, store, await rowsOf(`${NAME}-phone`, store))
  for (const store of DRAFT_STORES)
    await writeRelease(release, store, await rowsOf(`${NAME}-drafts`, store))
  await writeRelease(release, 'shapes', shapes())
  console.log(`tests/golden/v${release}`)
}

function rowsOf(name: string, store: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const open = indexedDB.open(name)
    open.addEventListener('error', () => reject(new Error(name)))
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
