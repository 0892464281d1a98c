import { useEffect, useState } from 'react'
import { type ScamPattern, scamJudge } from './scam.ts'

type Judge = (text: string) => readonly ScamPattern[]

let ready: Promise<Judge> | null = null

async function load(): Promise<Judge> {
  const { default: patterns } = await import('virtual:texts/scam_patterns')
  return scamJudge(patterns)
}

/** The judge of texts, once its patterns are there: they come after the conversation, never before it. */
export function useScamJudge(): Judge | null {
  const [judge, setJudge] = useState<Judge | null>(null)
  useEffect(() => {
    ready ??= load()
    ready.then(
      (loaded) => setJudge(() => loaded),
      // Not on this phone yet: the next conversation tries again.
      () => (ready = null),
    )
  }, [])
  return judge
}
