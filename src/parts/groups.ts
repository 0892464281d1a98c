/** A number as it is written, cut after what stands between its groups of three digits. */
export function groupsOf(text: string): string[] {
  return text.split(/(?<=[,\u202f])/)
}
