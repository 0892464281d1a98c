import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { LIST_ROWS_MAX, PAGE_SIZE } from '#schema/limits'
import { observeSight } from '../ui/effects.ts'

/** Cards per part of a grid, divisible by two and three columns. One frame renders one part. */
export const PART = 6

/** The page's first list is a reading of any time, each later one a new one. */
let read = false

export type Pagination = ReturnType<typeof usePagination>

/** Kept in the history entry, so that going back restores it. Another `list` begins anew. */
export function usePagination(list = '') {
  const router = useRouter()
  const kept = router.history.location.state
  const first = () => ({
    list,
    limit: Math.min(LIST_ROWS_MAX, Math.max(PAGE_SIZE, kept.rows ?? 0)),
    reading: kept.reading ?? (read ? Date.now() : 0),
  })
  const [state, setState] = useState(first)
  const { limit, reading } = state
  if (state.list !== list) setState(first)
  // In an effect: React may start the first render twice.
  useEffect(() => {
    read = true
  }, [])

  return {
    limit,
    reading,
    more:
      limit < LIST_ROWS_MAX
        ? () => {
            setState({ ...state, limit: limit + PAGE_SIZE })
            keepInHistory(limit + PAGE_SIZE, reading)
          }
        : null,
    anew() {
      const now = Date.now()
      setState({ ...state, reading: now })
      keepInHistory(limit, now)
      scrollTo({ top: 0 })
    },
  }
}

/** By the router, every card's link would recompute its active state. */
function keepInHistory(rows: number, reading: number) {
  const state: unknown = history.state
  History.prototype.replaceState.call(
    history,
    { ...(typeof state === 'object' ? state : {}), rows, reading },
    '',
  )
}

/** Rows that arrive in time cost no frame until they are nearer. */
const AHEAD = '1600px'

export function useEnd(ready: boolean, rows: number, more: (() => void) | null) {
  const end = useRef<HTMLDivElement>(null)
  const ask = useRef(more)
  useEffect(() => {
    ask.current = more
  })
  useEffect(() => {
    const mark = end.current
    if (!ready || mark === null) return undefined
    return observeSight(mark, (inSight) => inSight && ask.current?.(), AHEAD)
  }, [ready, rows])
  return end
}

export function useSteps(rows: number) {
  const [rendered, setRendered] = useState(rows)
  useEffect(() => {
    if (rendered >= rows) return undefined
    const frame = requestAnimationFrame(() => setRendered(Math.min(rows, rendered + PART)))
    return () => cancelAnimationFrame(frame)
  }, [rendered, rows])
  return Math.min(rendered, rows)
}
