import type { Facts, Frame, QuestionName, Row, Status } from '#schema/port/question'

export type Live<N extends QuestionName = QuestionName> = Readonly<{
  rows: readonly Row<N>[]
  facts: Facts<N> | null
  status: Status
  /** When the server last confirmed it, ms. */
  since: number | null
}>

export const loading: Live<never> = { rows: [], facts: null, status: 'loading', since: null }

/** The answer to a shorter list says nothing about older rows: it is `stale`. */
export function applyFrame<N extends QuestionName>(
  known: readonly Row<N>[],
  { ids, rows, facts, status, since, limit: answered }: Frame<N>,
  limit: number | null,
): Live<N> {
  const byId = new Map([...known, ...rows].map((row) => [idOf(row), row]))
  return {
    rows: ids.flatMap((id) => byId.get(id) ?? []),
    facts,
    status: answered === limit ? status : 'stale',
    since,
  }
}

function idOf(row: { readonly id: string }) {
  return row.id
}
