import type { ParseArgsOptionsConfig } from 'node:util'
import type { Tx } from '../db/tables.ts'
import type { Services } from '../route/services.ts'

/** 0 done, 1 refused or not found, 2 not understood [API 16]. */
export interface Outcome {
  readonly code: 0 | 1 | 2
  readonly lines: readonly string[]
  /** For `--json`. */
  readonly data?: unknown
}

export type Options = Readonly<Record<string, string | boolean | undefined>>

export interface Asked {
  readonly args: readonly string[]
  readonly options: Options
  readonly now: Date
  readonly services: Services
}

/** Each target gets a row in the audit. */
export interface Changed extends Outcome {
  readonly targets: readonly string[]
}

export interface Command {
  readonly names: readonly [string, ...string[]]
  readonly usage: string
  readonly about: string
  readonly options?: ParseArgsOptionsConfig
  /** How many arguments follow; none by default. */
  readonly args?: readonly [least: number, most: number]
  readonly look?: (asked: Asked) => Promise<Outcome>
  readonly change?: (asked: Asked, tx: Tx) => Promise<Changed>
  readonly after?: (asked: Asked) => Promise<void>
}

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

/** Not deleted, by id, username or e-mail. */
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
  const value = typeof text === 'string' && /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN
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
