import { useEffect } from 'react'
import { PRIVATE_PICTURES, SCREENS } from '#schema/port/service'
import { postToService } from '../data/service.ts'
import { keep, onSession, session, stored } from '../data/session.ts'
import { savesData, onSaveData } from '../data/saveData.ts'
import { minute } from '../parts/now.ts'

const STILL_MS = 2000
/**
 * A first visit downloads little: only a user who stays this long, taps, or returns gets the other
 * screens.
 */
const STAYED_MS = 2_000
const VISITED = 'visited'

export function useScreenCache(path: string): void {
  useEffect(() => {
    const look = (): void => {
      if (
        'ready' in document.documentElement.dataset &&
        document.querySelector('dialog[open]') === null
      )
        requestIdle(() => void keepLook())
    }
    let left = false
    let timer: ReturnType<typeof setTimeout> | undefined
    onceReady(() => {
      if (!left) timer = setTimeout(look, STILL_MS)
    })
    document.addEventListener('visibilitychange', look)
    return () => {
      left = true
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [path])
}

/** Lazy-loaded; a failure only means that no HTML is cached. */
async function keepLook(): Promise<void> {
  const at = minute()
  await import('../data/screenCache.ts')
    .then(({ cacheScreen: keepScreen }) => keepScreen(at))
    .catch(() => undefined)
}

export function keepAllLater(): void {
  const again = stored(VISITED) !== null
  keep('local', VISITED, '1')
  let asked = false
  const ask = (): void => {
    if (asked || savesData()) return
    asked = true
    setTimeout(
      () =>
        requestIdle(
          () =>
            void navigator.serviceWorker?.ready.then(({ active }) =>
              postToService({ type: 'keep-all' }, active),
            ),
        ),
      STILL_MS,
    )
  }
  if (again) ask()
  else onceReady(() => setTimeout(ask, STAYED_MS))
  addEventListener('pointerdown', ask, { once: true, passive: true })
  addEventListener('keydown', ask, { once: true, passive: true })
  onSaveData(ask)
}

function onceReady(then: () => void): void {
  const root = document.documentElement
  const look = (): void => {
    if (!('ready' in root.dataset)) return
    watching.disconnect()
    if (document.readyState === 'complete') then()
    else addEventListener('load', then, { once: true })
  }
  const watching = new MutationObserver(look)
  watching.observe(root, { attributes: true, attributeFilter: ['data-ready'] })
  look()
}

function requestIdle(work: () => void): void {
  if (typeof requestIdleCallback === 'function') requestIdleCallback(work, { timeout: STILL_MS })
  else setTimeout(work, 200)
}

/** At sign-out, also closes system notifications: the next user must not see them. */
onSession(() => {
  if (session().token === null) {
    void navigator.serviceWorker
      ?.getRegistration()
      .then((registration) => registration?.getNotifications())
      .then((shown) => shown?.forEach((one) => one.close()))
      .catch(() => undefined)
  }
  if ('caches' in window)
    for (const name of [SCREENS, PRIVATE_PICTURES]) caches.delete(name).catch(() => undefined)
})
