import './boot.ts'
import './ui/tokens.css'
import './ui/base.css'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { keepFiles } from './app/filesAhead.ts'
import { storeScreens } from './app/storedScreens.ts'
import { followLinks } from './app/links.ts'
import { report, startMonitor } from './app/monitor.ts'
import { App, followFocus, followSession, makeRouter } from './app/router.tsx'
import { showEngineEvents } from './app/engineEvents.ts'
import { foldHeader, slashToSearch } from './app/foldHeader.ts'
import { followOrientation } from './app/orientation.ts'
import { firstRender } from './data/firstRender.ts'
import { watchInstall } from './features/install/prompt.ts'
import { startLanguage } from './locales/i18n.ts'
import { oneTapOneThing } from './ui/secondTap.ts'

const place = rootOf()

startMonitor()
watchInstall()
oneTapOneThing()
/** Not awaited here: screens import this chunk, which would deadlock. */
export const started = start()

async function start() {
  const router = makeRouter()
  followLinks(router)
  followSession(router)
  followFocus(router)
  // The HTML stays until its own code can hydrate it.
  await Promise.all([startLanguage(), router.load()])
  const app = <App router={router} />
  // A mismatch is invisible to the user, since React renders again.
  if (place.hasChildNodes())
    hydrateRoot(place, app, {
      onRecoverableError: (error) =>
        report('react-error', { message: `${firstRender?.by}: ${String(error)}` }),
    })
  else createRoot(place).render(app)
  requestAnimationFrame(() =>
    setTimeout(() => {
      showEngineEvents(router)
      followOrientation()
      foldHeader()
      slashToSearch()
      if (installedOnTouch())
        void import('./app/pullToRefresh.ts')
          .then(({ pullToRefresh }) => pullToRefresh())
          .catch(() => undefined)
      keepFiles()
      storeScreens(router)
    }, 0),
  )
}

function installedOnTouch() {
  return navigator.maxTouchPoints > 0 && matchMedia('(display-mode: standalone)').matches
}

function rootOf(): HTMLElement {
  const root = document.getElementById('root')
  if (!root) throw new Error('no #root in the page')
  return root
}
