import { useEffect, useState } from 'react'
import { type ScamPattern, scamJudge } from './scam.ts'

type Judge = (text: string) => readonly ScamPattern[]

let ready: Promise<Judge> | null = null

async function load(): Promise<Judge> {
  const { default: patterns } = await import('virtual:texts/scam_patterns')
  return scamJudge(patterns)
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
