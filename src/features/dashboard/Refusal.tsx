import { Trans } from '@lingui/react/macro'
import type { Entry } from '#schema/disk/entry'
import { ask } from '../../data/ask.ts'
import { whyWaiting } from '../../locales/problems.ts'
import { useSay } from '../../locales/say.ts'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { Notice } from '../../ui/Notice.tsx'

/** [S8.13, S8.14]. */
export function Refusal({ entry }: { entry: Entry }) {
  const say = useSay()
  const conflict = entry.problem?.code === 'edit_conflict'
  const full = entry.problem?.code === 'listing_limit'
  return (
    <Notice tone="danger" live="alert" action={<Way entry={entry} conflict={conflict} />}>
      <strong>
        {entry.name === 'listing.publish' ? (
          <Trans>Annonce pas encore publiée</Trans>
        ) : conflict ? (
          <Trans>Modifiée aussi ailleurs</Trans>
        ) : (
          <Trans>Changement non enregistré</Trans>
        )}
      </strong>
      <p>{say(whyWaiting(entry))}</p>
      {full && (
        <p>
          <Trans>
            Archivez ou supprimez une annonce, puis publiez de nouveau. Celle-ci reste ici.
          </Trans>
        </p>
      )}
    </Notice>
  )
}

function Way({ entry, conflict }: { entry: Entry; conflict: boolean }) {
  const { listing } = entry.payload
  switch (entry.name) {
    case 'listing.publish':
      return (
        <ButtonLink to="/create-listing" search={{ draft: entry.id, step: 'review' }}>
          <Trans>Corriger</Trans>
        </ButtonLink>
      )
    case 'listing.edit':
      return (
        <ButtonLink to="/create-listing" search={typeof listing === 'string' ? { listing } : {}}>
          {conflict ? <Trans>Choisir</Trans> : <Trans>Corriger</Trans>}
        </ButtonLink>
      )
    default:
      return (
        <Button onClick={() => void ask('outbox.remove', { id: entry.id })}>
          <Trans>Compris</Trans>
        </Button>
      )
  }
}
