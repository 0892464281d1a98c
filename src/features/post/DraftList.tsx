import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import Trash from 'lucide-react/icons/trash-2'
import { useEffect, useState } from 'react'
import type { ListingDraft } from '#schema/disk/draft'
import { ask } from '../../data/ask.ts'
import { useFormat } from '../../locales/format.ts'
import { useSay } from '../../locales/say.ts'
import { categoryOf } from '../../parts/categories.ts'
import { useNow } from '../../parts/now.ts'
import { Section } from '../../parts/Page.tsx'
import { IconButton } from '../../ui/Button.tsx'
import { Confirm } from '../../ui/Dialog.tsx'
import css from './DraftList.module.css'
import { readForm } from './form.ts'
import { Shot } from './Shot.tsx'
import { fileOf } from './usePhotos.ts'

/** What was begun and is not published yet, each with its picture and age. */
export function DraftList({ drafts }: { drafts: readonly ListingDraft[] }) {
  const { t } = useLingui()
  if (drafts.length === 0) return null
  return (
    <Section title={t`Brouillons`}>
      <ul className={css.drafts}>
        {drafts.map((draft) => (
          <DraftRow key={draft.id} draft={draft} />
        ))}
      </ul>
    </Section>
  )
}

function DraftRow({ draft }: { draft: ListingDraft }) {
  const { t } = useLingui()
  const say = useSay()
  const format = useFormat()
  const now = useNow()
  const [asking, setAsking] = useState(false)
  const cover = useCover(draft.photos[0])
  const { step, title, category } = readForm(draft.fields)
  const name = title.trim() || say(categoryOf(category)?.name) || t`Sans titre`
  return (
    <li className={css.draft} data-draft={draft.id}>
      <Link to="/create-listing" search={{ draft: draft.id, step }} className={css.link}>
        <Shot file={cover} alt="" className={css.cover} />
        <span className={css.words}>
          <bdi className={css.name}>{name}</bdi>
          <span className={css.age}>{format.ago(draft.at, now)}</span>
        </span>
      </Link>
      <IconButton label={t`Supprimer le brouillon ${name}`} icon={Trash} onClick={() => setAsking(true)} />
      <Confirm open={asking} onClose={() => setAsking(false)} title={t`Supprimer ce brouillon ?`} action={t`Supprimer`} onConfirm={() => void ask('draft.removeListing', { id: draft.id })}>
        <Trans>Ses textes et ses photos seront effacés de ce téléphone.</Trans>
      </Confirm>
    </li>
  )
}

function useCover(id: string | undefined): Blob | null {
  const [cover, setCover] = useState<{ readonly id: string; readonly file: Blob | null } | null>(null)
  useEffect(() => {
    if (id === undefined) return undefined
    let shown = true
    void fileOf(id).then((file) => shown && setCover({ id, file }))
    return () => {
      shown = false
    }
  }, [id])
  return cover !== null && cover.id === id ? cover.file : null
}
