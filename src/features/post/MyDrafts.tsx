import { useLiveQuery } from '../../data/read.ts'
import { DraftList } from './DraftList.tsx'

/** On the dashboard: unsent drafts of new listings and of edits. */
export function MyDrafts() {
  const drafts = useLiveQuery('listing.drafts', {}).rows
  const entries = useLiveQuery('outbox.entries', {}).rows
  const moving = new Set(
    entries.filter(({ state }) => state !== 'refused').map(({ payload }) => payload['draft']),
  )
  return <DraftList drafts={drafts.filter(({ id }) => !moving.has(id))} shares={[]} />
}
