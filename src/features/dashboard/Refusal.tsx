import { useLingui } from '@lingui/react/macro'
import type { Entry } from '#schema/disk/entry'
import { ask } from '../../data/ask.ts'
import { whyWaiting } from '../../locales/problems.ts'
import { useTranslate } from '../../locales/translate.ts'
import { CorrectLink } from '../../parts/Unsent.tsx'
import { Button } from '../../ui/Button.tsx'
import { Notice } from '../../ui/Notice.tsx'

/** [S8.13, S8.14]. */
export function Refusal({ entry }: { entry: Entry }) {
  const { t } = useLingui()
  const translate = useTranslate()
  const conflict = entry.problem?.code === 'edit_conflict'
  const full = entry.problem?.code === 'listing_limit'
  return (
    <Notice
      tone="danger"
      live="alert"
      action={
        entry.name === 'listing.publish' || entry.name === 'listing.edit' ? (
          <CorrectLink entry={entry} />
        ) : (
          <Button onClick={() => void ask('outbox.remove', { id: entry.id })}>{t`Compris`}</Button>
        )
      }
    >
      <strong>
        {entry.name === 'listing.publish'
          ? t`Annonce pas encore publiée`
          : conflict
            ? t`Modifiée aussi ailleurs`
            : t`Changement non enregistré`}
      </strong>
      <p>{translate(whyWaiting(entry))}</p>
      {full && (
        <p>{t`Archivez ou supprimez une annonce, puis publiez de nouveau. Celle-ci reste ici.`}</p>
      )}
    </Notice>
  )
}
