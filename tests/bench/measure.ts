/** The middle of some figures; of an even count the mean of the two middle ones. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const high = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? high : (high + (sorted[middle - 1] ?? Number.NaN)) / 2
}

/** The value below which a share of the figures lies. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
}

export interface Figure {
  readonly what: string
  readonly value: number
  readonly unit: string
  /** What it is held against, in the same unit; absent: an absolute bound. */
  readonly baseline?: { readonly name: string; readonly value: number }
  /** The most it may be: a multiple of the baseline, or a value in the unit. */
  readonly reach?: number
  /** Higher is better (a throughput): `reach` is then the least. */
  readonly atLeast?: boolean
}

/** One line a figure: value, baseline, ratio, bound, and whether it is reached. */
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
