export function groupsOf(text: string): string[] {
  return text.split(/(?<=[,\u202f])/)
}
