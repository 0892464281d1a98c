/** A formatted number, split after the separators of its groups of three digits. */
export function groupsOf(text: string): string[] {
  return text.split(/(?<=[,\u202f])/)
}
