/** Whole francs for so many bytes, rounded up: never promise less than it costs. 0 only for nothing. */
export function francsOf(bytes: number, francsPerGb: number): number {
  return Math.ceil((bytes * francsPerGb) / 1_000_000_000)
}
