import type { ParseArgsOptionsConfig } from 'node:util'
import type { Tx } from '../db/tables.ts'
import type { Services } from '../route/index.ts'

/** 0 done, 1 refused or not found, 2 not understood [API 16]. */
export type Outcome = Readonly<{
  code: 0 | 1 | 2
  lines: readonly string[]
  /** For `--json`. */
  data?: unknown
}>

export type Options = Readonly<Record<string, string | boolean | undefined>>

export type Asked = Readonly<{
  args: readonly string[]
  options: Options
  now: Date
  services: Services
}>

/** Each target gets a row in the audit. */
export interface Changed extends Outcome {
  readonly targets: readonly string[]
}

export type Command = Readonly<{
  names: readonly [string, ...string[]]
  usage: string
  about: string
  options?: ParseArgsOptionsConfig
  /** How many arguments follow; none by default. */
  args?: readonly [least: number, most: number]
  look?: (asked: Asked) => Promise<Outcome>
  change?: (asked: Asked, tx: Tx) => Promise<Changed>
  after?: (asked: Asked) => Promise<void>
}>

export const shown = (lines: readonly string[], data?: unknown): Outcome => ({
  code: 0,
  lines,
  data,
})
export const changed = (line: string, target: string, data: unknown): Changed => ({
  code: 0,
  lines: [line],
  targets: [target],
  data,
})
export const refused = (...lines: string[]): Changed => ({ code: 1, lines, targets: [] })
export const misused = (...lines: string[]): Changed => ({ code: 2, lines, targets: [] })

export const usersNamed = (tx: Tx, name: string) =>
  tx
    .selectFrom('app_user')
    .where('deleted_at', 'is', null)
    .where((is) =>
      is.or([
        is('id', '=', name),
        is('username_key', '=', name.toLowerCase()),
        is('email', '=', name.toLowerCase()),
      ]),
    )

export function wholeOf(
  text: string | boolean | undefined,
  usual: number,
  least: number,
  most: number,
) {
  if (text === undefined) return usual
  const value = typeof text === 'string' && /^\d{1,6}$/.test(text) ? Number(text) : NaN
  return value >= least && value <= most ? value : null
}

export const textOf = (option: string | boolean | undefined) =>
  typeof option === 'string' && option.trim() !== '' ? option.trim() : null

export function table(rows: readonly (readonly string[])[]) {
  const widths: number[] = []
  for (const row of rows)
    for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, cell.length)
  return rows.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}
