import { useSyncExternalStore } from 'react'
import { useFirstValue } from '../data/firstRender.ts'
import { keep, stored } from '../data/session.ts'
import { signal } from '../data/signal.ts'
import type { CardView } from './ListingCard.tsx'

const VIEW = 'listings_view'

let now: CardView = stored(VIEW) === 'compact' ? 'compact' : 'grid'
const changes = signal()

export function useView(): readonly [CardView, (view: CardView) => void] {
  const chosen = () => now
  const view = useSyncExternalStore(changes.on, chosen, useFirstValue(chosen, 'grid'))
  return [view, choose]
}

function choose(view: CardView) {
  keep('local', VIEW, view)
  now = view
  changes.emit()
}
