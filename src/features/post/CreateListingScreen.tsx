import { Trans, useLingui } from '@lingui/react/macro'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { Share } from '#schema/port/share'
import { useLiveQuery } from '../../data/read.ts'
import { commandId } from '../../data/send.ts'
import { sharesHere } from '../../data/shared.ts'
import { Page } from '../../parts/Page.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { EditListingScreen } from './EditListingScreen.tsx'
import { type Form, readForm } from './form.ts'
import { Posted } from './Posted.tsx'
import { unkeptDraft } from './useListingDraft.ts'
import { Wizard } from './Wizard.tsx'

/** /create-listing [S2.38]: a new listing, or with `listing` in the address a change of an own one. */
export function CreateListingScreen() {
  const { listing: named, draft } = useSearch({ strict: false })
  const drafts = useLiveQuery('listing.drafts', {}).rows
  const listing = named ?? drafts.find(({ id }) => id === draft)?.listing ?? undefined
  const writers = useWriters()
  return listing === undefined ? (
    <NewListing key={writers} />
  ) : (
    <EditListingScreen key={`${listing} ${writers}`} listing={listing} />
  )
}

/** How many people came one after the other, in this tab or another one: what one wrote leaves the screen, and is not the next one's. */
function useWriters(): number {
  const navigate = useNavigate()
  const me = useLiveQuery('account.me', {}).rows[0]?.user.id
  const [{ writer, count }, set] = useState({ writer: me, count: 0 })
  // Nobody is in for a while: the same person may be back, and finds the form as it was.
  if (me !== undefined && me !== writer)
    set({ writer: me, count: writer === undefined ? count : count + 1 })
  useEffect(() => {
    if (count > 0) void navigate({ to: '/create-listing', search: {}, replace: true })
  }, [count, navigate])
  return count
}

/** A new listing; `draft` in the address names the one that was begun or shared into the app. */
function NewListing() {
  const { t } = useLingui()
  const navigate = useNavigate()
  const { draft, step, shared: word } = useSearch({ strict: false })
  const { rows: drafts, facts } = useLiveQuery('listing.drafts', {})
  const outbox = useLiveQuery('outbox.entries', {})
  const me = useLiveQuery('account.me', {}).rows[0]?.user.id ?? null
  const shares = useShares(me)
  const row = drafts.find(({ id }) => id === draft)
  const shared = shares?.find(({ id }) => id === draft)
  const id = useId(draft, row?.id ?? shared?.id ?? (unkeptDraft(draft) ? draft : undefined))
  const entries = outbox.rows.filter(({ name }) => name === 'listing.publish')
  const entry = entries.find((one) => one.id === id)
  const refused = entry?.state === 'refused' ? entry : undefined
  const sent = entry !== undefined && !refused
  const known = useOnce(facts !== null && outbox.facts !== null && shares !== null)
  const others = drafts.filter(
    (one) =>
      one.id !== id &&
      one.listing === null &&
      !entries.some((other) => other.id === one.id && other.state !== 'refused'),
  )
  const unopened = (shares ?? []).filter(
    (one) => one.id !== id && !drafts.some((other) => other.id === one.id),
  )

  useEffect(() => {
    // Published from another tab: this one says so too, and goes on saying it when it is gone from the outbox.
    if (sent && step !== 'done')
      void navigate({ to: '/create-listing', search: { draft: id, step: 'done' }, replace: true })
  }, [sent, step, id, navigate])

  return (
    <Page title={t`Publier une annonce`} width="form" shown={known}>
      {!known && <Skeleton shape="block" />}
      {word === 'lost' && (
        <Notice tone="danger" live="alert">
          <Trans>
            Ce qui a été partagé n’a pas pu être gardé. Libérez de l’espace, ouvrez ou supprimez vos
            brouillons, puis partagez de nouveau.
          </Trans>
        </Notice>
      )}
      {known && !refused && (step === 'done' || sent) && (
        <Posted entry={entry} draft={entry ? undefined : row?.id} />
      )}
      {known && (refused || (step !== 'done' && !sent)) && (
        <Wizard
          key={id}
          id={id}
          step={step === 'done' ? 'review' : step}
          others={others}
          unopened={unopened}
          refused={refused}
          shared={shared}
          start={{ form: row ? readForm(row.fields) : begun(shared), photos: row?.photos ?? [] }}
        />
      )}
    </Page>
  )
}

/** Stays true: an engine that starts anew must not take the form from the screen. */
function useOnce(now: boolean): boolean {
  const [ever, setEver] = useState(now)
  if (now && !ever) setEver(true)
  return ever || now
}

/** What was shared gives its words to a draft that does not exist yet. */
function begun(shared: Share | undefined): Form {
  return readForm(shared ? { title: shared.title, description: shared.text } : {})
}

/** What other apps shared and nobody opened yet; null: not looked up. */
function useShares(me: string | null): readonly Share[] | null {
  const [shares, setShares] = useState<readonly Share[] | null>(null)
  useEffect(() => {
    let wanted = true
    void sharesHere(me)
      .catch(() => [])
      .then((found) => wanted && setShares(found))
    return () => {
      wanted = false
    }
  }, [me])
  return shares
}

/** The id of the listing that is written here. It stays while the address does, whatever becomes of the draft: a session that ends or another tab must not empty the form. */
function useId(draft: string | undefined, found: string | undefined): string {
  const [id, setId] = useState(commandId)
  const [before, setBefore] = useState(draft)
  if (draft !== before) {
    setBefore(draft)
    if (found === undefined && draft !== id) setId(commandId())
  }
  if (found !== undefined && found !== id) setId(found)
  return found ?? id
}
