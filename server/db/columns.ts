import { sql, type RawBuilder } from 'kysely'

/** A constant text, which costs nothing to compile. */
export const columnsOf = (at: string, names: readonly string[]): RawBuilder<unknown> =>
  sql.raw(names.map((name) => `${at}.${name}`).join(', '))

/** As one JSON object; `more` has further members, as `'name', value`. */
export const jsonOf = (
  at: string,
  names: readonly string[],
  ...more: readonly string[]
): RawBuilder<unknown> =>
  sql.raw(
    `jsonb_build_object(${[...names.map((name) => `'${name}', ${at}.${name}`), ...more].join(', ')})`,
  )
