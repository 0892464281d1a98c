import { Plural, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { Images, Trash2 } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import type { ListingDraft } from '#schema/disk/draft'
import type { Share } from '#schema/port/share'
import { ask } from '../../data/ask.ts'
import { useFormat, useTranslate } from '../../locales/format.ts'
import { categoryOf } from '../../parts/categories.ts'
import { useNow } from '../../parts/now.ts'
import { Section } from '../../parts/Page.tsx'
import { IconButton } from '../../ui/Button.tsx'
import { Asked } from '../../ui/Dialog.tsx'
import css from './DraftList.module.css'
import { DraftPhoto, ServerPhotos } from './DraftPhoto.tsx'
import { readForm, startIn } from './form.ts'
import { useLiveQuery } from '../../data/read.ts'

export function DraftList({
  drafts,
  shares = [],
}: {
  drafts: readonly ListingDraft[]
  shares?: readonly Share[]
}) {
  const { t } = useLingui()
  if (drafts.length + shares.length === 0) return null
  return (
    <Section title={t`Brouillons`}>
      <ul className="stack">
        {shares.map((share) => (
          <ShareRow key={share.id} share={share} />
        ))}
        {drafts.map((draft) => (
          <DraftRow key={draft.id} draft={draft} />
        ))}
      </ul>
    </Section>
  )
}

function ShareRow({ share: { id, title, photos, at } }: { share: Share }) {
  const { t } = useLingui()
  return (
    <li className={css.draft} data-draft={id}>
      <Link to="/create-listing" search={{ draft: id }} className={css.link}>
        <Images className={css.sign} />
        <Texts name={title.trim() || t`Photos partagées`} at={at}>
          <Plural value={photos.length} one="# photo" other="# photos" /> ·
        </Texts>
      </Link>
    </li>
  )
}

function DraftRow({ draft }: { draft: ListingDraft }) {
  const { t } = useLingui()
  const translate = useTranslate()
  const { id, listing, photos, at } = draft
  const { step, title, category } = readForm(draft.fields)
  const there = new Map(startIn(draft)?.images.map((one) => [one.id, one]))
  const name = title.trim() || translate(categoryOf(category)?.name) || t`Sans titre`
  return (
    <li className={css.draft} data-draft={id}>
      <Link
        to="/create-listing"
        search={{ ...(listing !== null && { listing }), draft: id, step }}
        className={css.link}
      >
        <ServerPhotos value={there}>
          <DraftPhoto id={photos[0] ?? ''} alt="" className={css.cover} />
        </ServerPhotos>
        <Texts name={name} at={at}>
          {listing !== null && t`Changements non envoyés ·`}
        </Texts>
      </Link>
      <RemoveDraft
        renderButton={(open) => (
          <IconButton label={t`Supprimer le brouillon ${name}`} icon={Trash2} onClick={open} />
        )}
        onConfirm={() => void ask('draft.removeListing', { id })}
      />
    </li>
  )
}

function Texts({ name, at, children }: { name: string; at: number; children: ReactNode }) {
  const { ago } = useFormat()
  const now = useNow()
  return (
    <span className="column grow">
      <bdi className={css.name}>{name}</bdi>
      <span className="quiet">
        {children} {ago(at, now)}
      </span>
    </span>
  )
}

export function RemoveDraft(
  props: Pick<ComponentProps<typeof Asked>, 'renderButton' | 'onConfirm'>,
) {
  const { t } = useLingui()
  return (
    <Asked {...props} title={t`Supprimer ce brouillon ?`} action={t`Supprimer`}>
      {t`Ses textes et ses photos seront effacés de ce téléphone.`}
    </Asked>
  )
}

export function MyDrafts() {
  const drafts = useLiveQuery('listing.drafts', {}).rows
  const entries = useLiveQuery('outbox.entries', {}).rows
  const moving = new Set(
    entries.filter(({ state }) => state !== 'refused').map(({ payload }) => payload['draft']),
  )
  return <DraftList drafts={drafts.filter(({ id }) => !moving.has(id))} />
}
