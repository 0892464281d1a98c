/** Rounded up: the cost is never understated. */
export function francsOf(bytes: number, francsPerGb: number): number {
  return Math.ceil((bytes * francsPerGb) / 1_000_000_000)
}
