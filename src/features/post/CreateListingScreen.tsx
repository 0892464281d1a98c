import { useLingui } from '@lingui/react/macro'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useLiveQuery } from '../../data/read.ts'
import { commandId } from '../../data/send.ts'
import { Page } from '../../parts/Page.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { readForm } from './form.ts'
import { Posted } from './Posted.tsx'
import { Wizard } from './Wizard.tsx'

/** /create-listing (S2.38): a new listing, or with `draft` in the address the one that was begun. */
export function CreateListingScreen() {
  const { t } = useLingui()
  const { draft, step } = useSearch({ strict: false })
  const { rows: drafts, facts } = useLiveQuery('listing.drafts', {})
  const outbox = useLiveQuery('outbox.entries', {})
  const fresh = useFresh(draft)
  const known = facts !== null && outbox.facts !== null
  const row = drafts.find(({ id }) => id === draft)
  const entries = outbox.rows.filter(({ name, state }) => name === 'listing.publish' && state !== 'acknowledged')
  const entry = entries.find(({ id }) => id === draft)
  const refused = entry?.state === 'refused' ? entry : undefined
  const id = row?.id ?? fresh
  const others = drafts.filter((one) => one.id !== id && one.listing === null && !entries.some((other) => other.id === one.id && other.state !== 'refused'))

  return (
    <Page title={t`Publier une annonce`} width="form" shown={known}>
      {!known && <Skeleton shape="block" />}
      {known && !refused && (step === 'done' || entry) && <Posted entry={entry} draft={row?.id} />}
      {known && (refused || (step !== 'done' && !entry)) && (
        <Wizard key={id} id={id} step={step === 'done' ? 'review' : step} others={others} refused={refused} start={{ form: readForm(row?.fields ?? {}), photos: row?.photos ?? [] }} />
      )}
    </Page>
  )
}

/** The id of a listing that is begun here; another one each time that one starts anew. */
function useFresh(draft: string | undefined): string {
  const [fresh, setFresh] = useState(commandId)
  const [before, setBefore] = useState(draft)
  if (draft !== before) {
    setBefore(draft)
    if (draft === undefined) setFresh(commandId())
  }
  return fresh
}
