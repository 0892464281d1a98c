import './ui/tokens.css'
import './ui/base.css'
import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { keepAllLater } from './app/kept.ts'
import { startMonitor } from './app/monitor.ts'
import { router } from './app/router.tsx'
import { tellPeople } from './app/signs.ts'
import { watchInstall } from './features/install/prompt.ts'
import { startLanguage } from './locales/i18n.ts'

const place = rootOf()

startMonitor()
watchInstall()
// Never awaited by the module itself: screens import parts of this chunk, and would wait for it while it waits for them.
void start()

async function start(): Promise<void> {
  // A screen that came as HTML stays on the glass until its own code can take its place.
  await Promise.all([startLanguage(), router.load()])
  createRoot(place).render(
    <StrictMode>
      <I18nProvider i18n={i18n}>
        <RouterProvider router={router} />
      </I18nProvider>
    </StrictMode>,
  )
  // After the first frame: what only the engine knows is not worth a moment of it.
  requestAnimationFrame(() =>
    setTimeout(() => {
      tellPeople()
      keepAllLater()
    }, 0),
  )
}

function rootOf(): HTMLElement {
  const root = document.getElementById('root')
  if (!root) throw new Error('no #root in the page')
  return root
}
