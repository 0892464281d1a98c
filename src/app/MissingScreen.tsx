'use no memo'

import { useLingui } from '@lingui/react/macro'
import { useEffect } from 'react'
import { takeNewest } from '../data/service.ts'
import { keep, stored } from '../data/session.ts'
import { NotFound, Offline } from '../parts/drawings/lazyDrawings.tsx'
import { Button, ButtonAnchor, ButtonLink } from '../ui/Button.tsx'
import { Empty } from '../ui/Empty.tsx'
import { useScreen } from './screen.ts'

const TRIED = 'missing_tried'

const open = () => void takeNewest()

function openAgain() {
  keep('session', TRIED, `${location.pathname} ${triedHere() + 1}`)
  open()
}

function triedHere() {
  const [path, times] = (stored(TRIED) ?? '').split(' ')
  return path === location.pathname ? Number(times) : 0
}

/** The screen's chunk was never downloaded: it retries once there is a network. */
export function MissingScreen() {
  const { t } = useLingui()
  useScreen(t`Pas encore sur ce téléphone`)
  useNetworkBack(openAgain)
  return (
    <Empty
      drawing={<Offline />}
      heading="h1"
      title={t`Pas encore sur ce téléphone`}
      text={t`Cette page n’a jamais été ouverte ici. Elle s’ouvrira d’elle-même dès que le réseau revient. \
Ce que vous avez écrit reste enregistré.`}
      action={
        <>
          <Button kind="main" onClick={open}>{t`Réessayer`}</Button>
          <ButtonAnchor href="/">{t`Aller à l’accueil`}</ButtonAnchor>
        </>
      }
    />
  )
}

/** Each browser has its own message for a chunk that fails to load. */
export function isMissing(error: unknown) {
  return (
    error instanceof Error &&
    /dynamically imported module|Importing a module script failed|Unable to preload CSS/i.test(
      error.message,
    )
  )
}

const api = import.meta.env.VITE_API_ROOT ?? '/api/'
const FIRST_MS = 3000
const LONGEST_MS = 60_000

/** The engine notices the network only by a request, and may have none. */
function useNetworkBack(then: () => void) {
  useEffect(() => {
    let timer = 0
    const firstMs = Math.min(LONGEST_MS, FIRST_MS * 2 ** triedHere())
    const ask = async (waitMs: number) => {
      clearTimeout(timer)
      // A captive portal answers with 200; our server with 204.
      const there =
        document.visibilityState === 'visible' &&
        (await fetch(`${api}ping/`, { cache: 'no-store' }).then(
          ({ status }) => status === 204,
          () => false,
        ))
      if (there) then()
      else timer = setTimeout(() => void ask(Math.min(LONGEST_MS, waitMs * 1.5)), waitMs)
    }
    const now = () => void ask(firstMs)
    timer = setTimeout(now, firstMs)
    addEventListener('online', now)
    document.addEventListener('visibilitychange', now)
    return () => {
      clearTimeout(timer)
      removeEventListener('online', now)
      document.removeEventListener('visibilitychange', now)
    }
  }, [then])
}

export function NotFoundScreen() {
  const { t } = useLingui()
  useScreen(t`Page introuvable`)
  return (
    <Empty
      drawing={<NotFound />}
      heading="h1"
      title={t`Page introuvable`}
      text={t`Cette page n’existe pas ou n’existe plus.`}
      action={
        <ButtonLink kind="main" to="/">
          {t`Aller à l’accueil`}
        </ButtonLink>
      }
    />
  )
}
