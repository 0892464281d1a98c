import { describe, expect, test } from 'vitest'
import texts from '#schema/data/texts.json' with { type: 'json' }
import { type ScamPattern, scamJudge, warningsOf } from './scam.tsx'

const severities = { high: 'high', medium: 'medium', low: 'low' } as const
const patterns = texts.scam_patterns.map((pattern) => ({
  ...pattern,
  severity: severityOf(pattern.severity),
}))
const judge = scamJudge(patterns)

function severityOf(word: string): ScamPattern['severity'] {
  const known = Object.values(severities).find((severity) => severity === word)
  if (known === undefined) throw new Error(`texts.json has the severity ${word}`)
  return known
}

describe.each(patterns)('scam pattern $id', ({ id, match_examples, no_match_examples }) => {
  test.each(match_examples)('warns of “%s”', (example) => {
    expect(judge(example).map((found) => found.id)).toContain(id)
  })
  test.each(no_match_examples)('lets “%s” pass', (example) => {
    expect(judge(example).map((found) => found.id)).not.toContain(id)
  })
})

describe('scam judge', () => {
  test('matches examples with capitals, accents, typographic apostrophes and no-break spaces', () => {
    expect(judge('DONNEZ-MOI LE CODE')[0]?.id).toBe('otp-code')
    expect(judge('Payez les frais de\u00a0transport d’abord')[0]?.id).toBe('transport-fee')
  })

  test('returns the worst match first', () => {
    const found = judge('Plusieurs personnes sont intéressées, payez par Western Union')
    expect(found.map((pattern) => pattern.severity)).toEqual(['high', 'low'])
  })

  test('matches none of the quick questions and answers', () => {
    const quick = [...texts.quick_messages.buyer, ...texts.quick_messages.seller]
    expect(quick.flatMap((message) => [...judge(message.fr), ...judge(message.en)])).toEqual([])
  })
})

describe('warnings of a conversation', () => {
  const thread = [
    { id: '1', content: 'Vendu sans papiers' },
    { id: '2', content: 'oui, sans papiers' },
    { id: '3', content: 'Western Union' },
    { id: '4', content: 'western union ou moneygram' },
    { id: '5', content: 'Bonjour' },
  ]

  test('show once for a medium pattern, and each time for a high one', () => {
    const warned = warningsOf(thread, judge)
    expect([...warned].map(([id, pattern]) => `${id} ${pattern.severity}`)).toEqual([
      '1 medium',
      '3 high',
      '4 high',
    ])
  })
})
