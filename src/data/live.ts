import type { Facts, Frame, QuestionName, Row, Status } from '#schema/port/question'

export interface Live<N extends QuestionName = QuestionName> {
  readonly rows: readonly Row<N>[]
  readonly facts: Facts<N> | null
  readonly status: Status
  /** When the server last confirmed it, ms. */
  readonly since: number | null
}

export type Rows<N extends QuestionName = QuestionName> = ReadonlyMap<string, Row<N>>

export const loading: Live<never> = { rows: [], facts: null, status: 'loading', since: null }

export function applyFrame<N extends QuestionName>(
  known: Rows<N>,
  frame: Frame<N>,
): { rows: Rows<N>; live: Live<N> } {
  const fresh = new Map(frame.rows.map((row) => [idOf(row), row]))
  const rows = new Map<string, Row<N>>()
  for (const id of frame.ids) {
    const row = fresh.get(id) ?? known.get(id)
    if (row !== undefined) rows.set(id, row)
  }
  return {
    rows,
    live: {
      rows: [...rows.values()],
      facts: frame.facts,
      status: frame.status,
      since: frame.since,
    },
  }
}

function idOf(row: { readonly id: string }): string {
  return row.id
}
