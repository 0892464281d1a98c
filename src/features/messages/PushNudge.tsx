import { useState } from 'react'
import { keep, stored, useSession } from '../../data/session.ts'
import { useTranslate } from '../../locales/translate.ts'
import { Button } from '../../ui/Button.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { toast } from '../../ui/toasts.ts'
import { enablePush, pushSupported } from '../settings/push.ts'
import { pushTexts as texts } from '../settings/pushTexts.ts'
import css from './Chat.module.css'

/** [S3.20]: asked once per device, after the first message. */
const ASKED = 'push_nudge_shown'

export function wantsNudge(): boolean {
  return pushSupported() && Notification.permission === 'default' && stored(ASKED) === null
}

export function PushNudge({ onDone }: { onDone: () => void }) {
  const translate = useTranslate()
  const { language } = useSession()
  const [busy, setBusy] = useState(false)

  function done(): void {
    keep('local', ASKED, '1')
    onDone()
  }

  async function enable(): Promise<void> {
    setBusy(true)
    const result = await enablePush(language)
    toast(translate(texts[result]), { tone: result === 'ok' ? 'good' : 'plain' })
    done()
  }

  return (
    <div className={css.nudge}>
      <Notice
        tone="good"
        live="status"
        action={
          <span className={css.answers}>
            <Button kind="quiet" onClick={done} disabled={busy}>
              {translate(texts.nudge_no)}
            </Button>
            <Button kind="main" onClick={() => void enable()} disabled={busy}>
              {translate(texts.nudge_yes)}
            </Button>
          </span>
        }
      >
        <strong>{translate(texts.nudge_title)}</strong>{' '}
        <span className={css.why}>{translate(texts.nudge_body)}</span>
      </Notice>
    </div>
  )
}
