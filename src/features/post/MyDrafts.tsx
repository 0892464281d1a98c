import { useLiveQuery } from '../../data/read.ts'
import { DraftList } from './DraftList.tsx'

export function MyDrafts() {
  const drafts = useLiveQuery('listing.drafts', {}).rows
  const entries = useLiveQuery('outbox.entries', {}).rows
  const moving = new Set(
    entries.filter(({ state }) => state !== 'refused').map(({ payload }) => payload['draft']),
  )
  return <DraftList drafts={drafts.filter(({ id }) => !moving.has(id))} shares={[]} />
}
