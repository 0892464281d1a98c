import { Trans, useLingui } from '@lingui/react/macro'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type ComponentProps, useEffect, useState } from 'react'
import type { ListingDraft } from '#schema/disk/draft'
import type { Share } from '#schema/port/share'
import { useLiveQuery } from '../../data/read.ts'
import { commandId } from '../../data/ask.ts'
import { sharesOf } from '../../data/shared.ts'
import { useLoaded } from '../../data/useLoaded.ts'
import { Page } from '../../parts/Page.tsx'
import { useMedia } from '../../ui/media.ts'
import { Notice } from '../../ui/Notice.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { EditListingScreen } from './EditListingScreen.tsx'
import { type Form, readForm } from './form.ts'
import { type LastListing, lastListing } from './lastListing.ts'
import { Posted } from './Posted.tsx'
import { unkeptDraft } from './useListingDraft.ts'
import { WIDE, Wizard } from './Wizard.tsx'

/** [S2.38]: a new listing, or with `listing` an edit. */
export function CreateListingScreen() {
  const { listing: named, draft } = useSearch({ strict: false })
  const { rows: drafts, facts } = useLiveQuery('listing.drafts', {})
  const listing = named ?? drafts.find(({ id }) => id === draft)?.listing ?? undefined
  const writers = useWriters(facts?.owner)
  return listing === undefined ? (
    <NewListing key={writers} />
  ) : (
    <EditListingScreen key={`${listing} ${writers}`} listing={listing} />
  )
}

/** Each change of user, in any tab, remounts the form: nobody sees another's draft. */
function useWriters(owner = '') {
  const navigate = useNavigate()
  const [{ writer, count }, set] = useState({ writer: owner, count: 0 })
  // While nobody is signed in, the form stays: the same user may return.
  if (owner !== '' && owner !== writer)
    set({ writer: owner, count: writer === '' ? count : count + 1 })
  useEffect(() => {
    if (count > 0) void navigate({ to: '/create-listing', search: {}, replace: true })
  }, [count, navigate])
  return count
}

function NewListing() {
  const { t } = useLingui()
  const navigate = useNavigate()
  const { draft, step, shared: word } = useSearch({ strict: false })
  const wide = useMedia(WIDE)
  const me = useLiveQuery('account.me', {})
  const { rows: drafts, facts } = useLiveQuery('listing.drafts', {})
  const outbox = useLiveQuery('outbox.entries', {})
  const shares = useLoaded(facts?.owner ?? null, loadShares)
  const row = drafts.find(({ id }) => id === draft)
  const shared = shares?.find(({ id }) => id === draft)
  const id = useId(draft, row?.id ?? shared?.id ?? (unkeptDraft(draft) ? draft : undefined))
  const entries = outbox.rows.filter(({ name }) => name === 'listing.publish')
  const entry = entries.find((one) => one.id === id)
  const refused = entry?.state === 'refused' ? entry : undefined
  const sent = entry !== undefined && !refused
  // The account may be on its way, and its phone number starts the form.
  const account = me.rows.length > 0 || (me.facts !== null && me.status !== 'loading')
  const known = useOnce(facts !== null && outbox.facts !== null && shares !== null && account)
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
    // From another tab; stays after the entry has left the outbox.
    if (sent && step !== 'done')
      void navigate({ to: '/create-listing', search: { draft: id, step: 'done' }, replace: true })
  }, [sent, step, id, navigate])

  return (
    <Page title={t`Publier une annonce`} width={wide ? 'wide' : 'form'} shown={known}>
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
        <Posted id={id} entry={entry} draft={entry ? undefined : row?.id} />
      )}
      {known && (refused || (step !== 'done' && !sent)) && (
        <Started
          key={id}
          id={id}
          step={step === 'done' ? 'review' : step}
          others={others}
          unopened={unopened}
          refused={refused}
          shared={shared}
          owner={facts?.owner ?? ''}
          row={row}
          phone={me.rows[0]?.user.phone ?? ''}
        />
      )}
    </Page>
  )
}

/** With what the last listing leaves, read anew for each one. */
function Started({
  row,
  phone,
  ...wizard
}: Omit<ComponentProps<typeof Wizard>, 'last' | 'start' | 'edit'> & {
  row: ListingDraft | undefined
  phone: string
}) {
  const [last] = useState(() => lastListing(wizard.owner ?? ''))
  return (
    <Wizard
      {...wizard}
      last={last}
      start={{
        form: row ? readForm(row.fields) : begun(wizard.shared, last, phone),
        photos: row?.photos ?? [],
      }}
    />
  )
}

/** Latches true: a restarting engine must not remove the form. */
function useOnce(now: boolean) {
  const [ever, setEver] = useState(now)
  if (now && !ever) setEver(true)
  return ever || now
}

/** [S13.44]. */
function begun(shared: Share | undefined, last: LastListing | null, phone: string): Form {
  return readForm({
    ...last?.places[0],
    phone,
    ...(shared && { title: shared.title, description: shared.text }),
  })
}

const loadShares = (owner: string) => sharesOf(owner).catch((): readonly Share[] => [])

/** Only with the URL: an ended session or another tab must not empty the form. */
function useId(draft: string | undefined, found: string | undefined) {
  const [id, setId] = useState(commandId)
  const [before, setBefore] = useState(draft)
  if (draft !== before) {
    setBefore(draft)
    if (found === undefined && draft !== id) setId(commandId())
  }
  if (found !== undefined && found !== id) setId(found)
  return found ?? id
}
