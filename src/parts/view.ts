import { useSyncExternalStore } from 'react'
import { asPrerendered } from '../data/prerendered.ts'
import { keep, stored } from '../data/session.ts'
import { signal } from '../data/signal.ts'
import type { CardView } from './ListingCard.tsx'

const VIEW = 'listings_view'

let now: CardView = stored(VIEW) === 'compact' ? 'compact' : 'grid'
const changes = signal()

export function useView(): readonly [CardView, (view: CardView) => void] {
  const view = useSyncExternalStore(
    changes.on,
    () => now,
    () => asPrerendered(now, 'grid'),
  )
  return [view, choose]
}

function choose(view: CardView): void {
  keep('local', VIEW, view)
  now = view
  changes.emit()
}
