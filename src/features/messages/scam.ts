import { fold } from '#schema/fold'
import type { LocalizedText } from '#schema/wire/shapes'

/** An entry of `scam_patterns` in texts.json. */
export interface ScamPattern {
  readonly id: string
  /** high: before sending and on reading · medium: once per conversation · low: a small note. */
  readonly severity: 'high' | 'medium' | 'low'
  readonly pattern: string
  readonly flags: string
  readonly warning: LocalizedText
}

/** Texts whose judgement is remembered: some conversations. */
const MOST_JUDGED = 500

const rank = { high: 0, medium: 1, low: 2 }

/** What texts.json says to do with a text before its patterns are tried. */
export function plain(text: string): string {
  return fold(text).replace(/[’‘]/gu, "'").replace(/\s+/gu, ' ')
}

/** A judge of message texts, worst suspicion first. It runs on the phone: no text leaves it for this, nothing is blocked. */
export function scamJudge(
  patterns: readonly ScamPattern[],
): (text: string) => readonly ScamPattern[] {
  const known = patterns
    .map((pattern) => ({ pattern, test: new RegExp(pattern.pattern, pattern.flags) }))
    .toSorted((a, b) => rank[a.pattern.severity] - rank[b.pattern.severity])
  // A conversation is judged anew with each message that comes: what was read before is not read again.
  const judged = new Map<string, readonly ScamPattern[]>()
  return (text) => {
    const before = judged.get(text)
    if (before) return before
    const asked = plain(text)
    const found = known.filter(({ test }) => test.test(asked)).map(({ pattern }) => pattern)
    if (judged.size >= MOST_JUDGED) judged.clear()
    judged.set(text, found)
    return found
  }
}

/**
 * Which messages of a conversation carry a warning, by message id. A high one stands on every message that earned it,
 * a medium one once per conversation, and so does a low one: a thread full of amber says nothing.
 */
export function warningsOf(
  messages: readonly { readonly id: string; readonly content: string }[],
  judge: (text: string) => readonly ScamPattern[],
): ReadonlyMap<string, ScamPattern> {
  const said = new Set<string>()
  const warnings = new Map<string, ScamPattern>()
  for (const message of messages) {
    const worst = judge(message.content).find(
      (pattern) => pattern.severity === 'high' || !said.has(pattern.id),
    )
    if (worst === undefined) continue
    said.add(worst.id)
    warnings.set(message.id, worst)
  }
  return warnings
}
