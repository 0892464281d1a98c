import { useLingui } from '@lingui/react/macro'
import { type FormEvent, useState } from 'react'
import type { Payload } from '#schema/port/command'
import { send } from '../../data/send.ts'
import { type Sentence, whyNotQueued } from '../../locales/problems.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { TextField } from '../../ui/Field.tsx'
import { NAME_MAX } from './useSavedSearch.ts'

/** [S3.16] [S13.58]: saving it again renames it [API 10.5]. */
export function RenameSearch({
  search,
  onClose,
}: {
  search: Payload<'search.save'>
  onClose: () => void
}) {
  const { t } = useLingui()
  const [name, setName] = useState(search.name)
  const [wrong, setWrong] = useState<Sentence>()

  async function submit(event: FormEvent) {
    event.preventDefault()
    const why = whyNotQueued(await send('search.save', { ...search, name }))
    if (why === undefined) onClose()
    else setWrong(why)
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title={t`Renommer la recherche`}
      actions={
        <Button kind="main" type="submit" form="rename-search" disabled={name.trim() === ''}>
          {t`Enregistrer`}
        </Button>
      }
    >
      <form id="rename-search" onSubmit={(event) => void submit(event)}>
        <TextField
          label={t`Nom de la recherche`}
          dir="auto"
          maxLength={NAME_MAX}
          enterKeyHint="done"
          value={name}
          error={wrong}
          onValue={setName}
        />
      </form>
    </Dialog>
  )
}
