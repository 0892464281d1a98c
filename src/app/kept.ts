import { useEffect } from 'react'
import { keepScreen } from '../data/screen.ts'
import { say } from '../data/service.ts'
import { keep, stored } from '../data/session.ts'
import { lowData } from '../data/thrift.ts'

/** A screen that has stood so long is worth keeping as it looks. */
const STILL_MS = 2000
/** A first visit stays small; who stays this long, or comes back, gets the other screens too. */
const STAYED_MS = 60_000
const VISITED = 'visited'

/** Keeps the look of the screens one starts on, when nothing moves and when the app is left. */
export function useKeptScreen(path: string): void {
  useEffect(() => {
    const look = (): void => {
      if ('ready' in document.documentElement.dataset) requestIdle(() => void keepScreen())
    }
    const timer = setTimeout(look, STILL_MS)
    document.addEventListener('visibilitychange', look)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [path])
}

/** Asks the service worker for what was not opened yet: at a second start, or once somebody stayed; never in low-data mode. */
export function keepAllLater(): void {
  const again = stored(VISITED) !== null
  keep('local', VISITED, '1')
  setTimeout(
    () => {
      if (!lowData()) requestIdle(() => say({ type: 'keep-all' }))
    },
    again ? STILL_MS : STAYED_MS,
  )
}

function requestIdle(work: () => void): void {
  if (typeof requestIdleCallback === 'function') requestIdleCallback(work, { timeout: STILL_MS })
  else setTimeout(work, 200)
}
