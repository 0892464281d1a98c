import { Trans, useLingui } from '@lingui/react/macro'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { ListingDocument } from '#schema/disk/documents'
import type { ListingDraft } from '#schema/disk/draft'
import type { Entry } from '#schema/disk/entry'
import { currentOf } from '#schema/edit'
import { type Payload, payloadOf } from '#schema/port/command'
import { ask, commandId, refresh, send } from '../../data/ask.ts'
import { useLiveQuery } from '../../data/read.ts'
import { NotFound, Offline } from '../../parts/drawings/lazyDrawings.tsx'
import { Page } from '../../parts/Page.tsx'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { useMedia } from '../../ui/media.ts'
import { Notice } from '../../ui/Notice.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { ConflictStep } from './ConflictStep.tsx'
import { RemoveDraft } from './DraftList.tsx'
import { ServerPhotos } from './DraftPhoto.tsx'
import { EditPosted } from './Posted.tsx'
import {
  editOf,
  formOf,
  isEmpty,
  readForm,
  type Start,
  startIn,
  startOf,
  withEdit,
  type Written,
} from './form.ts'
import { unkeptDraft } from './useListingDraft.ts'
import { WIDE, Wizard } from './Wizard.tsx'

interface Sending {
  readonly entry: Entry
  readonly payload: Payload<'listing.edit'>
}

/** [S4.02]: an own listing in the wizard, from local data. */
export function EditListingScreen({ listing: id }: { listing: string }) {
  const { t } = useLingui()
  const { draft: named, step } = useSearch({ strict: false })
  const wide = useMedia(WIDE)
  const { rows: drafts, facts } = useLiveQuery('listing.drafts', {})
  const outbox = useLiveQuery('outbox.entries', {})
  const detail = useLiveQuery('listing.detail', { id })
  const [listing] = detail.rows
  const edits = outbox.rows.flatMap((entry) => sendingOf(entry, id))
  const refused = edits.find(({ entry }) => entry.state === 'refused')
  const waiting = edits.find(
    ({ entry, payload }) => entry.state !== 'refused' && payload.draft === named,
  )
  const now = currentOf(refused?.entry.problem ?? null)
  const from = listing ? startOf(listing) : null
  const known =
    facts !== null &&
    outbox.facts !== null &&
    detail.facts !== null &&
    (from !== null || detail.status !== 'loading')
  const open = known && !waiting && (refused !== undefined || step !== 'done')
  return (
    <Page title={t`Modifier l’annonce`} width={wide ? 'wide' : 'form'} shown={known}>
      {!known && <Skeleton shape="block" />}
      {known && !refused && (step === 'done' || waiting) && (
        <EditPosted entry={waiting?.entry} listing={id} />
      )}
      {open && refused && now && (
        <ConflictStep key={now.version} entry={refused.entry} payload={refused.payload} now={now} />
      )}
      {open &&
        !(refused && now) &&
        (listing && from ? (
          <Opened key={id} {...{ listing, from, drafts, edits, named, step, refused }} />
        ) : detail.facts?.problem != null ? (
          <Gone drafts={drafts.filter((one) => one.listing === id)} edits={edits} />
        ) : (
          <Empty
            drawing={<Offline />}
            title={t`Pas encore sur ce téléphone`}
            text={
              <Trans>
                Le texte complet de cette annonce n’est pas encore ici. Il viendra avec le réseau,
                puis vous pourrez la modifier.
              </Trans>
            }
            onRetry={() => refresh('listing.detail', { id })}
          />
        ))}
    </Page>
  )
}

function sendingOf(entry: Entry, listing: string) {
  if (entry.name !== 'listing.edit' || entry.state === 'acknowledged') return []
  const payload = payloadOf(entry.name, entry.payload)
  return payload?.listing === listing ? [{ entry, payload }] : []
}

interface Props {
  listing: ListingDocument
  from: Start
  drafts: readonly ListingDraft[]
  edits: readonly Sending[]
  named: string | undefined
  step: string | undefined
  refused: Sending | undefined
}

/** An unfinished or refused edit, else the owner's version with unsent changes. */
function Opened(props: Props) {
  const { listing, step, refused } = props
  const [{ id, start, content }] = useState(() => begun(props))
  const images = new Map(
    [...(listing.more?.images ?? []), ...start.images].map((one) => [one.id, one]),
  )

  async function save(written: Written) {
    const edit = editOf(start, written)
    if (isEmpty(edit)) return 'unchanged' as const
    // Uploaded ones are not sent again.
    const photos = written.photos.map(
      (photo) => refused?.payload.photos.find((one) => one.id === photo.id) ?? photo,
    )
    return send('listing.edit', {
      listing: listing.id,
      draft: id,
      ...edit,
      photos,
      baseVersion: start.version,
      wifiOnly: written.form.wifiOnly,
    })
  }

  return (
    <ServerPhotos value={images}>
      {listing.status === 'rejected' && listing.more?.review_reason != null && (
        <Notice tone="danger">
          <strong>
            <Trans>Annonce refusée</Trans>
          </strong>
          <p dir="auto">{listing.more.review_reason}</p>
        </Notice>
      )}
      <Wizard
        id={id}
        step={step === undefined || step === 'done' ? 'core' : step}
        refused={refused?.entry}
        start={content}
        edit={{ listing: listing.id, start, images, send: save }}
      />
    </ServerPhotos>
  )
}

function begun({ listing, from, drafts, edits, named, refused }: Props) {
  const moving = new Set(
    edits.flatMap(({ entry, payload }) => (entry.state === 'refused' ? [] : [payload.draft])),
  )
  const mine = drafts.filter((one) => one.listing === listing.id && !moving.has(one.id))
  const row =
    mine.find((one) => one.id === (refused?.payload.draft ?? named)) ??
    (refused ? undefined : mine[0])
  const start = (row && startIn(row)) ?? from
  const form = row
    ? readForm(row.fields)
    : formOf(refused ? withEdit(start.fields, refused.payload) : start.fields)
  const photos = row?.photos ?? refused?.payload.images?.order ?? start.images.map((one) => one.id)
  return {
    id: row?.id ?? refused?.payload.draft ?? (unkeptDraft(named) && named) ?? commandId(),
    start,
    content: { form, photos },
  }
}

function Gone({ drafts, edits }: Pick<Props, 'drafts' | 'edits'>) {
  const { t } = useLingui()
  const navigate = useNavigate()
  const written = drafts.length > 0 || edits.length > 0

  async function remove() {
    await Promise.all([
      ...edits.map(({ entry }) => ask('outbox.remove', { id: entry.id })),
      ...drafts.map((draft) => ask('draft.removeListing', { id: draft.id })),
    ])
    void navigate({ to: '/profile', search: { tab: 'listings' }, replace: true })
  }

  return (
    <Empty
      drawing={<NotFound />}
      title={t`Cette annonce n’existe plus`}
      text={
        written
          ? t`Elle a été supprimée. Vos changements ne peuvent plus être envoyés.`
          : t`Elle a été supprimée.`
      }
      action={
        <>
          {written && (
            <RemoveDraft
              renderButton={(open) => (
                <Button onClick={open}>{t`Supprimer ces changements`}</Button>
              )}
              onConfirm={() => void remove()}
            />
          )}
          <ButtonLink to="/profile" search={{ tab: 'listings' }}>
            {t`Mes annonces`}
          </ButtonLink>
        </>
      }
    />
  )
}
