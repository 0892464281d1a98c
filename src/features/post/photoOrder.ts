/** The list with one entry moved to a place, counted from 0 and held inside the list. */
export function movedTo(ids: readonly string[], id: string, place: number): readonly string[] {
  const from = ids.indexOf(id)
  const to = Math.min(ids.length - 1, Math.max(0, place))
  return from === -1 || from === to ? ids : ids.toSpliced(from, 1).toSpliced(to, 0, id)
}

/** The place where an entry lands that was dragged by so many px; `middles` are those of all entries when the drag began, top to bottom. */
export function landing(middles: readonly number[], from: number, by: number): number {
  const at = (middles[from] ?? 0) + by
  const above = middles.filter((middle, place) =>
    place < from ? middle < at : place > from && middle <= at,
  )
  return above.length
}
