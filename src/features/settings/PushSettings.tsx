import { useLingui } from '@lingui/react/macro'
import { useEffect, useState } from 'react'
import { ask } from '../../data/ask.ts'
import { useSession } from '../../data/session.ts'
import { type Sentence, whyNot } from '../../locales/problems.ts'
import { useTranslate } from '../../locales/format.ts'
import { Button } from '../../ui/Button.tsx'
import { Switch } from '../../ui/Field.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { LinkRow } from './ActionRow.tsx'
import { disablePush, enablePush, pushEnabled, type PushResult, pushSupported } from './push.ts'
import { pushTexts as texts } from './pushTexts.ts'

/** [S4.07, S2.44] */
export function PushSettings() {
  const { t } = useLingui()
  const translate = useTranslate()
  const { token, language } = useSession()
  const [on, setOn] = useState(false)
  const [busy, setBusy] = useState(false)
  const [note, setNote] = useState<{
    readonly good: boolean
    readonly texts: Sentence | (typeof texts)['ok']
  } | null>(null)

  useEffect(() => {
    void pushEnabled().then(setOn)
  }, [])

  async function change(wanted: boolean) {
    setBusy(true)
    const result: PushResult = wanted
      ? token === null
        ? 'unauthenticated'
        : await enablePush(language)
      : await disablePush()
    setBusy(false)
    setOn(result === 'ok')
    setNote({ good: result === 'ok' || result === 'disabled', texts: texts[result] })
  }

  async function test() {
    setBusy(true)
    const outcome = await ask('push.test', { endpoint: null })
    setBusy(false)
    setNote(
      outcome.kind === 'done'
        ? { good: true, texts: texts.test_sent }
        : { good: false, texts: whyNot(outcome) },
    )
  }

  return (
    <div className="stack">
      <Switch
        label={t`Notifications sur cet appareil`}
        hint={t`Même quand l’application est fermée.`}
        checked={on}
        disabled={busy || !pushSupported()}
        onChecked={(checked) => void change(checked)}
      />
      {on && (
        <Button onClick={() => void test()} busy={busy}>
          {t`Envoyer une notification de test`}
        </Button>
      )}
      <div role="status">
        {!pushSupported() && (
          <Notice>{translate(isSecureContext ? texts.unsupported : texts.insecure)}</Notice>
        )}
        {note && <Notice tone={note.good ? 'good' : 'danger'}>{translate(note.texts)}</Notice>}
      </div>
      <LinkRow to="/help" hash="notifications">
        {t`Aide sur les notifications`}
      </LinkRow>
    </div>
  )
}
