import { APP_NAME } from '#schema/app'
import type { Stats } from '#schema/port/request'
import { ask } from './ask.ts'
import { deliverLater, readyToDeliver } from './background.ts'
import { onEvent } from './engine.ts'
import { countFetched } from './fetched.ts'
import { WAITS } from './lost.ts'
import { takeNewest } from './service.ts'
import { keep, onSession, session, signOut, stored } from './session.ts'
import { savesData, markSaveData, onSaveData } from './saveData.ts'

declare global {
  // oxlint-disable-next-line no-var -- the only way to name a global of the page
  var yaar: { stats(): Promise<Stats> } | undefined
}

interface Callbacks {
  /** On the server [S4.06]. */
  sessionEnded(): void
  problem(code: string, detail: string | null): void
}

export function joinEngine({ sessionEnded, problem }: Callbacks) {
  onEvent((event) => {
    if (event.kind === 'outdated') renew(problem)
    if (event.kind === 'problem') problem(event.code, event.detail)
    if (event.kind === 'background') void deliverLater()
    // The chunk is not needed if nothing waits and nothing did.
    if (event.kind === 'waits' && (event.count > 0 || stored(WAITS) !== null))
      void import('./waits.ts')
        .then(({ receiveWaits }) => receiveWaits(event))
        .catch(() => undefined)
    if (event.kind === 'session-ended' && session().token === event.token) {
      signOut()
      sessionEnded()
    }
  })
  reportPage()
  document.addEventListener('visibilitychange', reportPage)
  addEventListener('online', reportPage)
  addEventListener('offline', reportPage)
  navigator.connection?.addEventListener('change', reportPage)
  onSaveData(reportPage)
  onSession(reportPage)
  onSession(readyToDeliver)
  readyToDeliver()
  countFetched()
  globalThis.yaar = { stats }
}

/** The messages screen polls at its own rate [S4.11]. */
export function movedTo(path: string) {
  if (path.startsWith('/messages') !== onMessages) reportPage()
}

const RENEWED = 'renewed_at'
const AGAIN_MS = 10 * 60_000

/** To newer code [SYNC 9]; soon after a reload in vain it is a problem to show. */
function renew(problem: Callbacks['problem']) {
  const ago = Date.now() - Number(stored(RENEWED) ?? 0)
  if (ago >= 0 && ago < AGAIN_MS) return problem('outdated', null)
  keep('session', RENEWED, String(Date.now()))
  void takeNewest()
}

let onMessages = false

function reportPage() {
  onMessages = location.pathname.startsWith('/messages')
  markSaveData()
  const type = navigator.connection?.type
  void ask('page.state', {
    visible: document.visibilityState === 'visible',
    online: navigator.onLine,
    saveData: savesData(),
    wifi: type === undefined || type === 'unknown' ? null : type === 'wifi' || type === 'ethernet',
    language: session().language,
    messages: onMessages,
  })
}

async function stats(): Promise<Stats> {
  const outcome = await ask('stats', {})
  if (outcome.kind !== 'done')
    throw new Error(`${APP_NAME}: the engine does not answer (${outcome.kind})`)
  return outcome.answer
}
