export function movedTo(ids: readonly string[], id: string, place: number): readonly string[] {
  const from = ids.indexOf(id)
  const to = Math.min(ids.length - 1, Math.max(0, place))
  return from === -1 || from === to ? ids : ids.toSpliced(from, 1).toSpliced(to, 0, id)
}

/**
 * Index where an entry dragged by `by` px lands; `middles`: vertical centres when the drag began.
 */
export function landing(middles: readonly number[], from: number, by: number): number {
  const at = (middles[from] ?? 0) + by
  const above = middles.filter((middle, place) =>
    place < from ? middle < at : place > from && middle <= at,
  )
  return above.length
}
