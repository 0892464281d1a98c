import { useLingui } from '@lingui/react/macro'
import { CloudOff, LoaderCircle, ShieldCheck, X } from 'lucide-react'
import type { Conversation } from '#schema/wire/conversation'
import type { SellerMini } from '#schema/wire/shapes'
import { refresh, send } from '../../data/ask.ts'
import { useLiveQuery } from '../../data/read.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { Notice } from '../../ui/Notice.tsx'
import css from './Chat.module.css'
import { SafetyLink } from './scam.tsx'
import { useEffect, useRef, useState } from 'react'
import { keep, stored, useSession } from '../../data/session.ts'
import { useTranslate } from '../../locales/format.ts'
import { toast } from '../../ui/toasts.ts'
import { enablePush, pushSupported } from '../settings/push.ts'
import { pushTexts as texts } from '../settings/pushTexts.ts'
import { observeSight } from '../../ui/effects.ts'

/** [S2.42]. */
export function SafetyTip() {
  const { t } = useLingui()
  return (
    <p className={css.tip}>
      <ShieldCheck />
      <span>
        {t`Ne payez pas d’avance et ne donnez jamais un code.`} <SafetyLink />
      </span>
    </p>
  )
}

/** [S2.42]: after two seconds in one state, to avoid flicker. */
export function Connection({ conversation }: { conversation: string }) {
  const { t } = useLingui()
  const { facts } = useLiveQuery('network.state', {})
  const offline = facts !== null && facts.network !== 'online' && facts.network !== 'weak'
  const live = facts === null || facts.socket === 'open' || !facts.leader
  const kind = offline ? 'offline' : live ? null : facts.socket
  return (
    <div role="status">
      {kind !== null && (
        <div key={kind} className={css.connection}>
          {kind === 'offline' ? (
            <Notice tone="wait" icon={CloudOff}>
              {t`Vous êtes hors ligne. Les messages partiront au retour du réseau.`}
            </Notice>
          ) : kind === 'connecting' ? (
            <Notice icon={LoaderCircle}>{t`Connexion…`}</Notice>
          ) : (
            <Notice
              tone="wait"
              action={
                <Button
                  kind="quiet"
                  onClick={() => refresh('conversation.detail', { id: conversation })}
                >
                  {t`Réessayer`}
                </Button>
              }
            >
              {t`Les réponses peuvent tarder.`}
            </Notice>
          )}
        </div>
      )}
    </div>
  )
}

/** Instead of the composer [API 4.7]. */
export function CannotSend({
  reason,
  peer,
}: {
  reason: Conversation['cannot_send_reason']
  peer: SellerMini | null
}) {
  const { t } = useLingui()
  return (
    <div className={css.cannot}>
      {reason === 'blocked_by_me' && peer ? (
        <Notice
          action={
            <Button
              kind="quiet"
              onClick={() => void send('user.block', { user: peer.id, blocked: false })}
            >
              {t`Débloquer`}
            </Button>
          }
        >
          {t`Vous avez bloqué cette personne.`}
        </Notice>
      ) : (
        <Notice>
          {reason === 'account_deleted'
            ? t`Ce compte n’existe plus.`
            : t`Vous ne pouvez pas écrire à cet utilisateur.`}
        </Notice>
      )}
    </div>
  )
}

/** [S3.20]: ids of who was asked on this device; `1` in earlier releases. */
const ASKED = 'push_nudge_shown'

export function wantsNudge(me: string) {
  const asked = stored(ASKED)?.split(' ') ?? []
  const wasAsked = asked.includes(me) || asked.includes('1')
  return pushSupported() && Notification.permission === 'default' && !wasAsked
}

function remember(me: string) {
  const asked = stored(ASKED)?.split(' ') ?? []
  if (!asked.includes(me)) keep('local', ASKED, [...asked, me].join(' '))
}

/** [S13.39]; a keyboard or a notice may cover it, so it counts once it was in sight. */
export function PushNudge({ me, onDone }: { me: string; onDone: () => void }) {
  const translate = useTranslate()
  const { language } = useSession()
  const [busy, setBusy] = useState(false)
  const line = useRef<HTMLDivElement>(null)

  useEffect(() => {
    return line.current
      ? observeSight(line.current, (inSight) => inSight && remember(me))
      : undefined
  }, [me])

  function done() {
    remember(me)
    onDone()
  }

  async function enable() {
    setBusy(true)
    const result = await enablePush(language)
    toast(translate(texts[result]), { tone: result === 'ok' ? 'good' : 'plain' })
    done()
  }

  return (
    <div ref={line} className={css.nudge}>
      <Notice
        tone="good"
        live="status"
        action={
          <span className={css.answers}>
            <Button kind="quiet" onClick={() => void enable()} disabled={busy}>
              {translate(texts.nudge_yes)}
            </Button>
            <IconButton label={translate(texts.nudge_no)} icon={X} onClick={done} disabled={busy} />
          </span>
        }
      >
        {translate(texts.nudge_title)}
      </Notice>
    </div>
  )
}
