import { fold } from '#schema/fold'
import type { LocalizedText } from '#schema/wire/shapes'
import { useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'

export type ScamPattern = Readonly<{
  id: string
  /** medium: once per conversation · low: a small note. */
  severity: 'high' | 'medium' | 'low'
  pattern: string
  flags: string
  warning: LocalizedText
}>

const MOST_JUDGED = 500

const rank = { high: 0, medium: 1, low: 2 }

/** As texts.json requires before matching. */
export function plain(text: string) {
  return fold(text).replace(/[’‘]/gu, "'").replace(/\s+/gu, ' ')
}

/** Worst severity first. Runs locally: no text is sent anywhere, nothing is blocked. */
export function scamJudge(patterns: readonly ScamPattern[]): Judge {
  const known = patterns
    .map((pattern) => ({ pattern, test: new RegExp(pattern.pattern, pattern.flags) }))
    .toSorted((a, b) => rank[a.pattern.severity] - rank[b.pattern.severity])
  // Each new message checks the whole conversation again.
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

/** By message id. Medium and low once per conversation, against alarm fatigue. */
export function warningsOf(
  messages: readonly { readonly id: string; readonly content: string }[],
  judge: Judge,
): ReadonlyMap<string, ScamPattern> {
  const warned = new Set<string>()
  const warnings = new Map<string, ScamPattern>()
  for (const message of messages) {
    const worst = judge(message.content).find(
      (pattern) => pattern.severity === 'high' || !warned.has(pattern.id),
    )
    if (worst === undefined) continue
    warned.add(worst.id)
    warnings.set(message.id, worst)
  }
  return warnings
}

type Judge = (text: string) => readonly ScamPattern[]

let ready: Promise<Judge> | null = null

async function load(): Promise<Judge> {
  const { default: patterns } = await import('virtual:texts/scam_patterns')
  return scamJudge(patterns)
}

export function SafetyLink() {
  const { t } = useLingui()
  return (
    <Link to="/help" hash="safety">
      {t`Conseils de sécurité`}
    </Link>
  )
}

export function useScamJudge(): Judge | null {
  const [judge, setJudge] = useState<Judge | null>(null)
  useEffect(() => {
    ready ??= load()
    ready.then(
      (loaded) => setJudge(() => loaded),
      () => (ready = null),
    )
  }, [])
  return judge
}
