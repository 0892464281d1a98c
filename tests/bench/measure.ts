/** For an even count, the mean of the two middle values. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const high = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? high : (high + (sorted[middle - 1] ?? Number.NaN)) / 2
}

/** `share`: between 0 and 1. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
}

export interface Figure {
  readonly what: string
  readonly value: number
  readonly unit: string
  /** A value in the same unit to compare with; absent: `reach` is absolute. */
  readonly baseline?: { readonly name: string; readonly value: number }
  /** The limit: a multiple of the baseline, or a value in the unit. */
  readonly reach?: number
  /** Higher is better (throughput): `reach` is the minimum. */
  readonly atLeast?: boolean
}

/** One line per figure: value, baseline, ratio, limit, and whether it is met. */
export function line(figure: Figure): string {
  const { what, value, unit, baseline, reach, atLeast = false } = figure
  const measured = baseline ? value / baseline.value : value
  const reached = reach === undefined || (atLeast ? measured >= reach : measured <= reach)
  const against = baseline
    ? ` | ${baseline.name} ${round(baseline.value)} ${unit} | ${measured.toFixed(2)} ×`
    : ' | - | -'
  const bound =
    reach === undefined ? '-' : `${atLeast ? '≥' : '≤'} ${reach}${baseline ? ' ×' : ` ${unit}`}`
  return `| ${what} | ${round(value)} ${unit}${against} | ${bound} | ${reached ? 'yes' : 'NO'} |`
}

const round = (value: number): string =>
  Math.abs(value) < 10 ? value.toFixed(2) : Math.round(value).toString()

export const header =
  '| what | measured | baseline | ratio | reach | reached |\n|---|---|---|---|---|---|'
