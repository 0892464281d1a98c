/**
 * Whole francs for this many bytes, rounded up, so that the cost is never understated. 0 only for
 * nothing.
 */
export function francsOf(bytes: number, francsPerGb: number): number {
  return Math.ceil((bytes * francsPerGb) / 1_000_000_000)
}
