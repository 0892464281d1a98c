import { ASSETS, SHELL, PICTURES, SCREENS } from '#schema/port/service'
import { ask } from './ask.ts'

/** A worker that hangs must not block the reload. */
const TIMEOUT_MS = 4000

/** [S2.48]: the session, outbox, drafts and photos survive. */
export async function clearAndReload() {
  const cleared = Promise.allSettled([ask('data.clear', {}), clearCaches(), unregister()])
  await Promise.race([cleared, new Promise((done) => setTimeout(done, TIMEOUT_MS))])
  location.reload()
}

async function clearCaches() {
  const names = (await caches.keys()).filter(
    (name) =>
      name === ASSETS || name === PICTURES || name === SCREENS || name.startsWith(`${SHELL}-`),
  )
  await Promise.all(names.map((name) => caches.delete(name)))
}

async function unregister() {
  const workers = await navigator.serviceWorker.getRegistrations()
  await Promise.all(workers.map((worker) => worker.unregister()))
}
