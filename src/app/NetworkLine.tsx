'use no memo'

import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { CloudOff } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { NetworkFacts } from '#schema/port/question'
import { useLost } from '../data/lost.ts'
import { useLiveQuery } from '../data/read.ts'
import { useSession } from '../data/session.ts'
import { lazyOptional } from '../ui/lazy.tsx'
import { toast } from '../ui/toasts.ts'
import css from './NetworkLine.module.css'
import { after } from '../ui/effects.ts'

const DatabaseProblemLine = lazyOptional(
  () => import('./DatabaseProblem.tsx'),
  'DatabaseProblemLine',
)

/** [S2.28, DESIGN 4] */
export function NetworkLine() {
  const { facts } = useLiveQuery('network.state', {})
  const outbox = useLiveQuery('outbox.entries', {})
  const network = facts?.network ?? 'online'
  const waiting = (outbox.facts?.waiting ?? 0) + (outbox.facts?.sending ?? 0)
  const lost = useLost()?.count ?? 0
  const stuck =
    (outbox.facts?.refused ?? 0) +
    (outbox.facts?.signedOut ?? 0) +
    (outbox.facts?.unread.length ?? 0) +
    lost
  useEffect(() => {
    // [SURFACE 2]
    document.documentElement.dataset['network'] = network
  }, [network])
  useBackOnlineToast(facts && facts.network, outbox.facts && waiting + stuck)
  const memoryOnly = facts?.memoryOnly === true
  useAskBeforeClosing(memoryOnly && waiting > 0)
  // Online, entries that leave within a moment show no line; stuck ones do.
  const problem = facts?.databaseProblem
  const shown = network !== 'online' || stuck > 0 || memoryOnly || problem !== undefined
  return (
    <div role="status" data-network-place="" className={css.place}>
      {shown && (
        <div data-network-line="" className={css.line}>
          {network !== 'online' && <CloudOff data-network-icon="" />}
          <span data-network-text="" className={css.text}>
            <NetworkText network={network} stuck={stuck} />{' '}
            {problem && <DatabaseProblemLine problem={problem} className={css.link} />}
            {memoryOnly && !problem && (
              <Trans>
                Ce téléphone ne laisse rien enregistrer : ce qui n’est pas envoyé sera oublié en
                fermant.
              </Trans>
            )}
          </span>
          {waiting + stuck > 0 && (
            <Link to="/outbox" className={css.link}>
              <Trans>En attente d’envoi</Trans> ({waiting + stuck})
            </Link>
          )}
        </div>
      )}
    </div>
  )
}

function NetworkText({ network, stuck }: { network: NetworkFacts['network']; stuck: number }) {
  switch (network) {
    case 'offline':
      return (
        <Trans>
          Vous êtes hors ligne. <span>Certaines actions peuvent être retardées.</span>
        </Trans>
      )
    case 'captive':
      return (
        <Trans>
          Ce réseau ne mène pas à Internet : connectez-vous au Wi-Fi ou rechargez votre forfait.
        </Trans>
      )
    case 'weak':
      return <Trans>Réseau très lent.</Trans>
    case 'online':
      return stuck > 0 ? (
        <Plural value={stuck} one="# envoi vous attend." other="# envois vous attendent." />
      ) : null
  }
}

function useAskBeforeClosing(losing: boolean) {
  useEffect(() => {
    if (!losing) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [losing])
}

/** When the server ends a session, the outbox looks empty until the page knows. */
const SETTLE_MS = 1000

/** null: unknown. */
function useBackOnlineToast(network: NetworkFacts['network'] | null, waiting: number | null) {
  const { t } = useLingui()
  const { token } = useSession()
  /** Token of their user; undefined: none waited offline. */
  const waitingFor = useRef<string | null>(undefined)
  useEffect(() => {
    if (network === null || waiting === null) return
    if (network === 'offline' || network === 'captive') {
      if (waiting > 0) waitingFor.current = token
      return
    }
    if (network !== 'online' || waiting > 0 || waitingFor.current === undefined) return
    return after(SETTLE_MS, () => {
      if (waitingFor.current === token)
        toast(t`De retour en ligne, tout est envoyé.`, { tone: 'good' })
      waitingFor.current = undefined
    })
  }, [network, waiting, token, t])
}
