import './boot.ts'
import './ui/tokens.css'
import './ui/base.css'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { App } from './app/App.tsx'
import { keepAllLater } from './app/screenCache.ts'
import { followLinks } from './app/links.ts'
import { report, startMonitor } from './app/monitor.ts'
import { followFocus, followSession, makeRouter } from './app/router.tsx'
import { showEngineEvents } from './app/engineEvents.ts'
import { followOrientation } from './app/orientation.ts'
import { prerendered } from './data/prerendered.ts'
import { watchInstall } from './features/install/prompt.ts'
import { startLanguage } from './locales/i18n.ts'
import { oneTapOneThing } from './ui/secondTap.ts'

const place = rootOf()

startMonitor()
watchInstall()
oneTapOneThing()
/** Never awaited by the module itself: screens import parts of this chunk, and would wait for it while it waits for them. */
export const started = start()

async function start(): Promise<void> {
  const router = makeRouter()
  followLinks(router)
  followSession(router)
  followFocus(router)
  // A screen that came as HTML stays on the glass until its own code can take it over.
  await Promise.all([startLanguage(), router.load()])
  const app = <App router={router} />
  // Where the HTML is not what this code draws, React draws anew: the person sees no harm, the operator hears of it.
  if (prerendered)
    hydrateRoot(place, app, {
      onRecoverableError: (error) =>
        report('react-error', { message: `${prerendered?.by}: ${String(error)}` }),
    })
  else createRoot(place).render(app)
  // After the first frame: what only the engine knows is not worth a moment of it.
  requestAnimationFrame(() =>
    setTimeout(() => {
      showEngineEvents(router)
      followOrientation()
      keepAllLater()
    }, 0),
  )
}

function rootOf(): HTMLElement {
  const root = document.getElementById('root')
  if (!root) throw new Error('no #root in the page')
  return root
}
