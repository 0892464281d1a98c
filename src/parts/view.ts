import { useSyncExternalStore } from 'react'
import { asPrerendered } from '../data/prerendered.ts'
import { keep, stored } from '../data/session.ts'
import type { CardView } from './ListingCard.tsx'

const VIEW = 'listings_view'

let now: CardView = stored(VIEW) === 'compact' ? 'compact' : 'grid'
const listeners = new Set<() => void>()

export function useView(): readonly [CardView, (view: CardView) => void] {
  const view = useSyncExternalStore(subscribe, chosen, () => asPrerendered(now, 'grid'))
  return [view, choose]
}

function chosen(): CardView {
  return now
}

function choose(view: CardView): void {
  keep('local', VIEW, view)
  now = view
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
