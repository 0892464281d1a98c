/** On a phone; texts of more lines are folded. */
const LINE = 44
const LINES = 9

/** By letters, not measured: the server renders the same. */
export function isLong(text: string): boolean {
  const lines = text.split('\n').map((line) => Math.max(1, Math.ceil(line.length / LINE)))
  return lines.reduce((sum, count) => sum + count, 0) > LINES
}
