import { useEffect, useState } from 'react'
import { type ScamPattern, scamJudge } from './scam.ts'

type Judge = (text: string) => readonly ScamPattern[]

let ready: Promise<Judge> | null = null

async function load(): Promise<Judge> {
  const { default: patterns } = await import('virtual:texts/scam_patterns')
  return scamJudge(patterns)
}

/** The pattern matcher, loaded lazily after the conversation. */
export function useScamJudge(): Judge | null {
  const [judge, setJudge] = useState<Judge | null>(null)
  useEffect(() => {
    ready ??= load()
    ready.then(
      (loaded) => setJudge(() => loaded),
      // Not downloaded yet: the next conversation retries.
      () => (ready = null),
    )
  }, [])
  return judge
}
