import type { KeptFiles } from '#schema/port/service'
import { onEvent } from '../data/engine.ts'
import { savesData, onSaveData } from '../data/saveData.ts'
import { postToService } from '../data/service.ts'
import { keep, onSession, session, stored } from '../data/session.ts'

/** Who stays this long gets files ahead, and the screen stored. */
export const STILL_MS = 2000
const VISITED = 'visited'
/** A reload belongs to the same visit. */
const VISIT_MS = 3_600_000

const first = stored(VISITED)
const again = first !== null && Date.now() - Number(first) > VISIT_MS
let installed = matchMedia('(display-mode: standalone)').matches

/** What is fetched before somebody opens it [S13.72]; null: nothing. */
export function filesAhead(): KeptFiles | null {
  const { type } = navigator.connection ?? {}
  const uses = installed || session().token !== null
  if (savesData()) return uses ? 'outbox' : null
  if (again || type === 'wifi' || type === 'ethernet') return 'all'
  return uses ? 'offline' : null
}

/**
 * Has the service worker cache what was loaded, and what is fetched ahead: once the user stays, and
 * at once after signing in or installing, since the network may be gone with the next step.
 */
export function keepFiles() {
  if (first === null) keep('local', VISITED, String(Date.now()))
  keepLoaded()
  let asked: KeptFiles | null = null
  const look = () => {
    const files = filesAhead()
    if (files === null || files === asked) return
    asked = files
    requestIdle(() => post(files))
  }
  onceReady(() => setTimeout(look, STILL_MS))
  onSaveData(look)
  onSession(look)
  navigator.connection?.addEventListener('change', look)
  addEventListener('appinstalled', () => {
    installed = true
    look()
  })
  // Continues a download that the lost network ended.
  addEventListener('online', () => {
    asked = null
    look()
  })
}

function post(files: KeptFiles | readonly string[]) {
  void navigator.serviceWorker?.ready.then(({ active }) =>
    postToService({ type: 'keep', files }, active),
  )
}

/** Caches the files that page and data worker loaded; they come from the HTTP cache. */
function keepLoaded() {
  new PerformanceObserver((list) => {
    const paths = list.getEntries().map(({ name }) => new URL(name).pathname)
    const files = paths.filter((path) => path.startsWith('/assets/'))
    if (files.length > 0) post(files)
  }).observe({ type: 'resource', buffered: true })
  onEvent((event) => {
    if (event.kind === 'loaded') post(event.files)
  })
}

export function onceReady(then: () => void) {
  const root = document.documentElement
  const look = () => {
    if (!('ready' in root.dataset)) return
    watching.disconnect()
    if (document.readyState === 'complete') then()
    else addEventListener('load', then, { once: true })
  }
  const watching = new MutationObserver(look)
  watching.observe(root, { attributes: true, attributeFilter: ['data-ready'] })
  look()
}

export function requestIdle(work: () => void) {
  if (typeof requestIdleCallback === 'function') requestIdleCallback(work, { timeout: STILL_MS })
  else setTimeout(work, 200)
}
