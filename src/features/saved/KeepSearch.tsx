import { useLingui } from '@lingui/react/macro'
import { type FormEvent, useState } from 'react'
import { send } from '../../data/send.ts'
import { useSession } from '../../data/session.ts'
import { type Sentence, whyNotQueued } from '../../locales/problems.ts'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { TextField } from '../../ui/Field.tsx'
import { toast } from '../../ui/toasts.ts'
import type { Address } from '../browse/filterParams.ts'
import { useFilterLabels } from '../browse/filterLabels.ts'
import { signInTo } from '../../parts/links.ts'

/** [API 10.5]. */
const NAME_MAX = 60

/** [S1.02, S3.16]. Queued, so it works offline. */
export function KeepSearch({ filters, onClose }: { filters: Address; onClose: () => void }) {
  const { t } = useLingui()
  const { token } = useSession()
  const { ordering: _order, ...params } = filters
  const labelOf = useFilterLabels(params['category'])
  const [typed, setTyped] = useState<string | null>(null)
  const [wrong, setWrong] = useState<Sentence>()
  const labels = Object.entries(params).map(([name, value]) => labelOf(name, value))
  const name = typed ?? [...labels.join(', ')].slice(0, NAME_MAX).join('')

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    const why = whyNotQueued(await send('search.save', { name, params }))
    if (why !== undefined) return setWrong(why)
    onClose()
    toast(t`Recherche gardée. Elle est dans vos favoris.`, { tone: 'good' })
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title={t`Garder cette recherche`}
      actions={
        token === null ? (
          <ButtonLink kind="main" {...signInTo(location.pathname + location.search)}>
            {t`Se connecter`}
          </ButtonLink>
        ) : (
          <Button kind="main" type="submit" form="keep-search" disabled={name.trim() === ''}>
            {t`Garder`}
          </Button>
        )
      }
    >
      {token === null ? (
        <p>
          {t`Connectez-vous pour garder cette recherche et être prévenu des nouvelles annonces.`}
        </p>
      ) : (
        <form id="keep-search" onSubmit={(event) => void submit(event)}>
          <TextField
            label={t`Nom de la recherche`}
            hint={t`Vous serez prévenu des nouvelles annonces, une fois par jour au plus.`}
            dir="auto"
            maxLength={NAME_MAX}
            enterKeyHint="done"
            value={name}
            error={wrong}
            onValue={setTyped}
          />
        </form>
      )}
    </Dialog>
  )
}
