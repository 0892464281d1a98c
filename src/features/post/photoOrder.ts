export function movedTo(ids: readonly string[], id: string, place: number): readonly string[] {
  const from = ids.indexOf(id)
  const to = Math.min(ids.length - 1, Math.max(0, place))
  return from === -1 || from === to ? ids : ids.toSpliced(from, 1).toSpliced(to, 0, id)
}

export interface Point {
  readonly x: number
  readonly y: number
}

export const minus = (a: Point, b: Point): Point => ({ x: a.x - b.x, y: a.y - b.y })

/** Index of the square on which a square dragged by `by` px lands: the nearest centre. */
export function landing(centres: readonly Point[], from: number, by: Point): number {
  const start = centres[from]
  if (!start) return from
  const away = centres.map((centre) =>
    Math.hypot(centre.x - start.x - by.x, centre.y - start.y - by.y),
  )
  return away.indexOf(Math.min(...away))
}

/** How far a square makes room, px, while another is dragged from one index to another. */
export function roomFor(
  centres: readonly Point[],
  at: number,
  drag: { readonly from: number; readonly to: number },
): Point {
  const here = centres[at]
  const next =
    at > drag.from && at <= drag.to
      ? centres[at - 1]
      : at < drag.from && at >= drag.to
        ? centres[at + 1]
        : here
  return here && next ? minus(next, here) : { x: 0, y: 0 }
}
