import { useState } from 'react'
import { keep, stored } from '../data/session.ts'
import type { CardView } from './ListingCard.tsx'

const VIEW = 'listings_view'

/** Grid or compact, as chosen last. */
export function useView(): readonly [CardView, (view: CardView) => void] {
  const [view, setView] = useState<CardView>(() => (stored(VIEW) === 'compact' ? 'compact' : 'grid'))
  return [
    view,
    (next) => {
      keep('local', VIEW, next)
      setView(next)
    },
  ]
}
