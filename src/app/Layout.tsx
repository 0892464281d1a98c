'use no memo'

import { Trans } from '@lingui/react/macro'
import { Outlet, useLocation } from '@tanstack/react-router'
import { Suspense } from 'react'
import { useLiveQuery } from '../data/read.ts'
import { useMedia } from '../ui/media.ts'
import { Toasts } from '../ui/Toasts.tsx'
import { BottomNav } from './BottomNav.tsx'
import { Header } from './Header.tsx'
import css from './Layout.module.css'
import { NetworkLine } from './NetworkLine.tsx'
import { UpdateBanner } from './UpdateBanner.tsx'
import { lazyNamed } from '../ui/lazy.tsx'

const Footer = lazyNamed(() => import('./Footer.tsx'), 'Footer')

/** [S2.26]: no footer under a conversation. */
export function Layout() {
  const path = useLocation({ select: (place) => place.pathname })
  const wide = useMedia('(min-width: 901px)')
  return (
    <>
      <a href="#content" className={css.skip}>
        <Trans>Aller au contenu</Trans>
      </a>
      <Suspense>
        <Header />
      </Suspense>
      <Suspense>
        <BottomNav />
      </Suspense>
      <LoadingBar />
      <NetworkLine />
      <main id="content" tabIndex={-1} className={css.main}>
        <UpdateBanner />
        <Outlet />
      </main>
      {wide && !path.startsWith('/messages') && <Footer />}
      <Toasts />
    </>
  )
}

/** [S2.29]: visible during requests, hidden 200 ms after the last. */
function LoadingBar() {
  const { facts } = useLiveQuery('network.state', {})
  const busy = (facts?.busy ?? 0) > 0
  return (
    <div aria-hidden="true" data-loading-bar="" data-busy={busy || undefined} className={css.bar} />
  )
}
