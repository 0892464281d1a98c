import { useEffect, useRef, useState } from 'react'
import { ask } from '../../data/ask.ts'
import { useLiveQuery } from '../../data/read.ts'

/** Typed text is safe on the phone this long after the last key. */
const KEEP_MS = 300

export interface Draft {
  readonly text: string
  readonly write: (text: string) => void
  /** Keeps it now, so that it is on the phone before the command that uses it up. */
  readonly flush: () => void
  /** The command that used the text up is queued: what was typed meanwhile stays. */
  readonly used: (sent: string) => void
}

/** A text that survives leaving, reloading and kills, under a key of its writer's own. */
export function useDraft(key: string): Draft {
  const { facts } = useLiveQuery('draft.text', { key })
  const [typed, setTyped] = useState<string | null>(null)
  const kept = facts?.content
  // Typed before the phone answered: what it kept comes first.
  const text = typed === null ? (kept ?? '') : typed
  const latest = useRef<string | null>(null)
  const pending = useRef<{ timer: ReturnType<typeof setTimeout>; run: () => void } | null>(null)

  const early = useRef(true)
  useEffect(() => {
    if (kept === undefined || !early.current) return
    early.current = false
    if (typed !== null && kept !== '' && !typed.startsWith(kept)) setTyped(`${kept}\n${typed}`)
  }, [kept, typed])

  useEffect(() => {
    const flush = (): void => pending.current?.run()
    addEventListener('pagehide', flush)
    return () => {
      removeEventListener('pagehide', flush)
      flush()
    }
  }, [key])

  function keepSoon(content: string): void {
    clearTimeout(pending.current?.timer)
    const run = (): void => {
      clearTimeout(pending.current?.timer)
      pending.current = null
      void ask('draft.keep', { key, content })
    }
    pending.current = { timer: setTimeout(run, KEEP_MS), run }
  }

  function write(content: string): void {
    latest.current = content
    setTyped(content)
    keepSoon(content)
  }

  return {
    text,
    write,
    flush: () => pending.current?.run(),
    used: (sent) => {
      const now = latest.current ?? sent
      write(now.startsWith(sent) ? now.slice(sent.length).trimStart() : now)
    },
  }
}
