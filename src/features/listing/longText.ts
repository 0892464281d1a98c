/** Letters in a line of a phone, and lines of a text that is not folded. */
const LINE = 44
const LINES = 9

/**
 * By its letters, not measured: the server renders the same. A text of some lines more than the
 * fold shows is not folded.
 */
export function isLong(text: string): boolean {
  const lines = text.split('\n').map((line) => Math.max(1, Math.ceil(line.length / LINE)))
  return lines.reduce((sum, count) => sum + count, 0) > LINES
}
