import type { Entry } from '#schema/disk/entry'
import { payloadOf } from '#schema/port/command'
import { useLiveQuery } from '../../data/read.ts'
import { groupBy } from '#schema/groupBy'

export type Sending = Readonly<{
  waits: boolean
  refused: Entry | undefined
  cover: string | null
}>

export function useSending(): (listing: string) => Sending {
  const { rows } = useLiveQuery('outbox.entries', {})
  const about = groupBy(
    rows.filter(({ name, state }) => name.startsWith('listing.') && state !== 'acknowledged'),
    ({ name, payload }) => (name === 'listing.publish' ? payload['draft'] : payload['listing']),
  )
  return (listing) => {
    const entries = about.get(listing) ?? []
    const covers = entries.flatMap((entry) => (entry.state === 'refused' ? [] : newCover(entry)))
    return {
      cover: covers.at(-1) ?? null,
      waits: entries.some(({ state }) => state !== 'refused'),
      refused: entries.find(({ state, why }) => state === 'refused' && why !== 'behind'),
    }
  }
}

function newCover({ name, payload }: Entry) {
  if (name !== 'listing.edit') return []
  const edit = payloadOf(name, payload)
  const first = edit?.images?.order[0]
  if (!edit || first === undefined) return []
  return [edit.photos.some(({ id }) => id === first) ? first : null]
}
