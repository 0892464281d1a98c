import { useLingui } from '@lingui/react/macro'
import { type Payload, payloadOf } from '#schema/port/command'
import { isAccepted } from '#schema/port/outcome'
import type { Row } from '#schema/port/question'
import { ask, send } from '../../data/ask.ts'
import { useLiveQuery } from '../../data/read.ts'
import { type Sentence, whyNotQueued } from '../../locales/problems.ts'
import { toast } from '../../ui/toasts.ts'
import type { Address } from '../browse/filterParams.ts'
import { useFilterLabels } from '../browse/filterLabels.ts'
import { type FormEvent, useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { TextField } from '../../ui/Field.tsx'

/** [API 10.5]. */
const NAME_MAX = 60

export type Params = Readonly<Record<string, string | number | boolean>>

export const textsOf = (params: Params): Record<string, string> =>
  Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)]))

/** Whatever the order and types of the parameters. */
export const signOf = (params: Params) =>
  JSON.stringify(Object.entries(textsOf(params)).toSorted(([a], [b]) => (a < b ? -1 : 1)))

export function useUnsentSearches() {
  const entries = useLiveQuery('outbox.entries', {}).rows
  const saves = entries.flatMap((entry) => {
    const search = entry.name === 'search.save' ? payloadOf(entry.name, entry.payload) : null
    return search ? [{ entry, ...search, sign: signOf(search.params) }] : []
  })
  return {
    waiting: saves.filter(({ entry }) => entry.state !== 'refused'),
    refused: saves.filter(({ entry }) => entry.state === 'refused'),
    removed: entries.flatMap(({ name, payload }) =>
      name === 'search.remove' ? (payloadOf(name, payload)?.id ?? []) : [],
    ),
  }
}

export function useSavedSearch({ ordering: _order, ...params }: Address) {
  const { t } = useLingui()
  const { rows } = useLiveQuery('searches.saved', {})
  const { waiting, removed } = useUnsentSearches()
  const labelOf = useFilterLabels(params['category'])
  const sign = signOf(params)
  const row = rows.find((one) => signOf(one.params) === sign && !removed.includes(one.id))
  const unsent = waiting.find((one) => one.sign === sign)
  const isSaved = row !== undefined || unsent !== undefined
  const labels = Object.entries(params).map(([name, value]) => labelOf(name, value))
  const search: Payload<'search.save'> = {
    name: [...labels.join(', ')].slice(0, NAME_MAX).join(''),
    params,
  }

  async function toggle(onRename: () => void) {
    const saving = !isSaved
    const why = saving
      ? whyNotQueued(await send('search.save', search))
      : await remove(row, unsent?.entry.id)
    if (why !== undefined) return toast(why, { tone: 'danger' })
    if (saving)
      toast(t`Recherche enregistrée dans vos favoris.`, {
        tone: 'good',
        action: { label: t`Renommer`, run: onRename },
      })
    else toast(t`Recherche retirée.`)
  }

  return { isSaved, search, toggle }
}

async function remove(row: Row<'searches.saved'> | undefined, entry: string | undefined) {
  if (entry !== undefined) await ask('outbox.remove', { id: entry })
  if (row === undefined) return undefined
  const sent = await send('search.remove', { id: row.id })
  return isAccepted(sent) ? undefined : whyNotQueued(sent)
}

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
