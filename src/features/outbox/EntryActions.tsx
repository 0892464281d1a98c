import { Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import { isVisible, lengthOf } from '#schema/text'
import { ask } from '../../data/ask.ts'
import { type Sentence, whyNot } from '../../locales/problems.ts'
import { Button } from '../../ui/Button.tsx'
import { Asked, Dialog } from '../../ui/Dialog.tsx'
import { TextArea } from '../../ui/Field.tsx'
import { toast } from '../../ui/toasts.ts'
import type { Entry } from '#schema/disk/entry'

interface Props {
  id: string
  content: string | null
  most: number
  retry: boolean
  uncertain: boolean
  asked?: 'data' | 'time' | null
  className?: string | undefined
}

/** [SURFACE 2] */
export function EntryActions({
  id,
  content,
  most,
  retry,
  uncertain,
  asked = null,
  className,
}: Props) {
  const { t } = useLingui()
  const [editing, setEditing] = useState(false)

  async function goOnByWifi() {
    const outcome = await ask('outbox.wifi', { id, wifiOnly: true })
    if (outcome.kind === 'done') await act('outbox.retry', id)
    else toast(whyNot(outcome), { tone: 'danger' })
  }

  return (
    <div className={className} role="group" aria-label={t`Actions`}>
      {retry && (
        <Button kind="quiet" onClick={() => void act('outbox.retry', id)}>
          {asked === null ? t`Réessayer` : t`Continuer`}
        </Button>
      )}
      {asked === 'data' && (
        <Button kind="quiet" onClick={() => void goOnByWifi()}>
          {t`Seulement en Wi-Fi`}
        </Button>
      )}
      {content !== null && (
        <Button kind="quiet" onClick={() => setEditing(true)}>
          {t`Modifier`}
        </Button>
      )}
      <RemoveEntry id={id}>
        <RemovalText uncertain={uncertain} />
      </RemoveEntry>
      {content !== null && editing && (
        <Editor onClose={() => setEditing(false)} id={id} content={content} most={most} />
      )}
    </div>
  )
}

export function RemovalText({ uncertain }: { uncertain: boolean }) {
  return uncertain ? (
    <Trans>
      Il est peut-être déjà arrivé : nous n’avons pas eu de réponse. Il ne sera plus envoyé, mais ce
      qui est arrivé reste chez son destinataire.
    </Trans>
  ) : (
    <Trans>Il n’a pas été envoyé et ne le sera pas. Cela ne peut pas être annulé.</Trans>
  )
}

export function RemoveEntry({ id, children }: { id: string; children: ReactNode }) {
  const { t } = useLingui()
  return (
    <Asked
      renderButton={(open) => <Button kind="quiet" onClick={open}>{t`Supprimer`}</Button>}
      title={t`Supprimer cet envoi ?`}
      action={t`Supprimer`}
      onConfirm={() => void act('outbox.remove', id)}
    >
      {children}
    </Asked>
  )
}

async function act(name: 'outbox.retry' | 'outbox.remove', id: string) {
  const outcome = await ask(name, { id })
  if (outcome.kind !== 'done') toast(whyNot(outcome), { tone: 'danger' })
}

function Editor({
  onClose,
  id,
  content,
  most,
}: Pick<Props, 'id' | 'most'> & { onClose: () => void; content: string }) {
  const { t } = useLingui()
  const [text, setText] = useState(content)
  const [wrong, setWrong] = useState<Sentence>()
  const edited = text.trim()

  async function save() {
    const outcome = await ask('outbox.edit', { id, content: edited })
    if (outcome.kind === 'done') onClose()
    else setWrong(whyNot(outcome))
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title={t`Modifier avant l’envoi`}
      actions={
        <Button
          kind="main"
          onClick={() => void save()}
          disabled={!isVisible(edited) || lengthOf(edited) > most}
        >
          {t`Enregistrer`}
        </Button>
      }
    >
      <TextArea
        label={t`Texte`}
        dir="auto"
        counter={most}
        value={text}
        error={wrong}
        onValue={setText}
      />
    </Dialog>
  )
}

/** It, or an older version of it. */
export function mayHaveArrived({
  uncertain,
  tried,
  state,
}: Pick<Entry, 'uncertain' | 'tried' | 'state'>) {
  return uncertain || state === 'sending' || tried.length > 0
}
