import { APP_NAME } from '#schema/app'
import { PRIVATE_PICTURES, SCREENS } from '#schema/port/service'
import { postToService } from '../data/service.ts'
import { keep, onSession, session, stored } from '../data/session.ts'
import { savesData, onSaveData } from '../data/saveData.ts'
import type { AppRouter } from './router.tsx'

const STILL_MS = 2000
/** Who stays this long gets the other screens. */
const STAYED_MS = 2000
const VISITED = 'visited'

const STARTS = /^\/(?:$|listings$|browse$|messages$|saved$)/

/** Stores a screen after a moment, even if the user has gone on by then, and at leaving the app. */
export function storeScreens(router: AppRouter): void {
  if (!('caches' in window)) return
  let shown: string | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  const here = () => location.pathname + location.search
  const store = () => {
    const address = shown
    if (address !== null)
      onceReady(() =>
        requestIdle(() => void storeLater(address, address === here() ? document.title : APP_NAME)),
      )
    // Its answers are forgotten soon after the user has left it.
    if (address !== here()) shown = null
    clearTimeout(timer)
    timer = undefined
  }
  const arrive = () => {
    if (!STARTS.test(location.pathname)) {
      if (timer === undefined) shown = null
      return
    }
    clearTimeout(timer)
    shown = here()
    timer = setTimeout(store, STILL_MS)
  }
  arrive()
  router.subscribe('onResolved', arrive)
  document.addEventListener('visibilitychange', store)
}

async function storeLater(address: string, title: string) {
  await import('./storeScreen.ts')
    .then(({ storeScreen }) => storeScreen(address, title))
    .catch(() => undefined)
}

/** Has the service worker fetch the files of all screens once the user stays. */
export function keepAllLater(): void {
  const again = stored(VISITED) !== null
  keep('local', VISITED, '1')
  let asked = false
  const ask = () => {
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

function onceReady(then: () => void) {
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

function requestIdle(work: () => void) {
  if (typeof requestIdleCallback === 'function') requestIdleCallback(work, { timeout: STILL_MS })
  else setTimeout(work, 200)
}

/** The next user must not see them, nor system notifications. */
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
