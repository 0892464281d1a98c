import X from 'lucide-react/icons/x'
import { useEffect, useRef, useState } from 'react'
import { keep, stored, useSession } from '../../data/session.ts'
import { useTranslate } from '../../locales/translate.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { toast } from '../../ui/toasts.ts'
import { enablePush, pushSupported } from '../settings/push.ts'
import { pushTexts as texts } from '../settings/pushTexts.ts'
import css from './Chat.module.css'
import { observeSight } from '../../ui/effects.ts'

/** [S3.20]: the ids of who was asked on this device, after a first message; `1` in earlier releases. */
const ASKED = 'push_nudge_shown'

export function wantsNudge(me: string): boolean {
  const asked = stored(ASKED)?.split(' ') ?? []
  return (
    pushSupported() &&
    Notification.permission === 'default' &&
    !asked.includes(me) &&
    !asked.includes('1')
  )
}

function remember(me: string): void {
  const asked = stored(ASKED)?.split(' ') ?? []
  if (!asked.includes(me)) keep('local', ASKED, [...asked, me].join(' '))
}

/** One thin line [S13.39]; a keyboard or a notice may cover it, so it counts once it was in sight. */
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

  function done(): void {
    remember(me)
    onDone()
  }

  async function enable(): Promise<void> {
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
