import { APP_NAME } from '#schema/app'
import { PRIVATE_PICTURES, SCREENS } from '#schema/port/service'
import { onSession, session } from '../data/session.ts'
import { filesAhead, onceReady, requestIdle, STILL_MS } from './filesAhead.ts'
import type { AppRouter } from './router.tsx'

const STARTS = /^\/(?:$|listings$|browse$|messages$|saved$)/

/** Stores a screen after a moment, even if the user has gone on by then, and at leaving the app. */
export function storeScreens(router: AppRouter) {
  if (!('caches' in window)) return
  let shown: string | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  const here = () => location.pathname + location.search
  const store = () => {
    const address = shown
    // The renderer is a tenth of what a first visit may cost.
    if (address !== null && filesAhead() !== null)
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
