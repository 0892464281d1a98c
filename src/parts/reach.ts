import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { LIST_ROWS_MAX, PAGE_SIZE } from '#schema/limits'

/**
 * Cards of one part of a grid (ListingGrid), about a phone's glass: divides by two and three columns, so that parts below one
 * another look like one grid; a wider grid has no parts to see. A part is also what one frame draws anew: more would make a slow
 * phone stumble while it scrolls.
 */
export const PART = 6

/** The first list of a page has a name that the next start knows (first.ts); each later one is a reading of its own. */
let read = false

/** How far a list is shown and which reading of it (`from` of the question). */
export interface Reach {
  readonly limit: number
  readonly reading: number
  /** null: one list shows no more than this. */
  readonly more: (() => void) | null
  /** Shows the rows that waited, from the top. */
  anew(): void
}

/** How far the list is shown: kept in the history, so that going back finds it as it was left. */
export function useReach(): Reach {
  const router = useRouter()
  const state = router.history.location.state
  const [limit, setLimit] = useState(() =>
    Math.min(LIST_ROWS_MAX, Math.max(PAGE_SIZE, state.rows ?? 0)),
  )
  const [reading, setReading] = useState(() => state.reading ?? (read ? Date.now() : 0))
  // Not while rendering: React may begin the first one twice.
  useEffect(() => {
    read = true
  }, [])

  return {
    limit,
    reading,
    more:
      limit < LIST_ROWS_MAX
        ? () => {
            setLimit(limit + PAGE_SIZE)
            keepInHistory(limit + PAGE_SIZE, reading)
          }
        : null,
    anew() {
      const now = Date.now()
      setReading(now)
      keepInHistory(limit, now)
      scrollTo({ top: 0 })
    },
  }
}

/** Past the router: a list that grows is no navigation, and each link of a thousand cards would ask itself anew whether it leads here. */
function keepInHistory(rows: number, reading: number): void {
  const state: unknown = history.state
  History.prototype.replaceState.call(
    history,
    { ...(typeof state === 'object' ? state : {}), rows, reading },
    '',
  )
}

/** Farther from the glass than what a browser lays out ahead (one and a half of it): what comes in time costs no frame until it is nearer. */
const AHEAD = '1600px'

/** Asks for more before the end is reached; looks anew each time rows have come. */
export function useEnd(ready: boolean, rows: number, more: (() => void) | null) {
  const end = useRef<HTMLDivElement>(null)
  const ask = useRef(more)
  useEffect(() => {
    ask.current = more
  })
  useEffect(() => {
    const mark = end.current
    if (!ready || mark === null) return undefined
    // Two frames may be told at once, the older first: the end may have come into sight in the second.
    const watch = new IntersectionObserver(
      (sights) => sights.some(({ isIntersecting }) => isIntersecting) && ask.current?.(),
      { rootMargin: AHEAD },
    )
    watch.observe(mark)
    return () => watch.disconnect()
  }, [ready, rows])
  return end
}

/** How many of the rows are drawn: all that are there at first, and of those that come later a few more each frame. */
export function useSteps(rows: number): number {
  const [drawn, setDrawn] = useState(rows)
  useEffect(() => {
    if (drawn >= rows) return undefined
    const frame = requestAnimationFrame(() => setDrawn(Math.min(rows, drawn + PART)))
    return () => cancelAnimationFrame(frame)
  }, [drawn, rows])
  return Math.min(drawn, rows)
}
