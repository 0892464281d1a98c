import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { ask } from '../../data/ask.ts'
import { useLiveQuery } from '../../data/read.ts'

/** Typed text is safe on the phone this long after the last key. */
const KEEP_MS = 300

export interface Draft {
  readonly text: string
  /** The phone holds all of it: a kill now loses nothing. */
  readonly kept: boolean
  readonly write: (text: string) => void
  /** A command takes the text along: what is kept now would outlive it. */
  readonly hold: () => void
  /** The command that used the text up is queued: what was typed meanwhile stays, and is the answer. Null: it was not, and all stays. */
  readonly used: (sent: string | null) => string
}

/** A text that survives leaving, reloading and kills, under a key of its writer's own. */
export function useDraft(key: string): Draft {
  const { facts } = useLiveQuery('draft.text', { key })
  const kept = facts?.content
  const [typed, setTyped] = useState<string | null>(null)
  const [known, setKnown] = useState(false)
  const text = typed ?? kept ?? ''

  if (!known && kept !== undefined) {
    setKnown(true)
    // Typed before the phone answered: what it kept comes first.
    if (typed !== null && kept !== '') setTyped(`${kept}\n${typed}`)
  }

  const latest = useRef(text)
  useEffect(() => {
    latest.current = text
  }, [text])

  const pending = useRef<{ timer: ReturnType<typeof setTimeout>; run: () => void } | null>(null)
  useEffect(() => {
    const flush = (): void => pending.current?.run()
    addEventListener('pagehide', flush)
    return () => {
      removeEventListener('pagehide', flush)
      flush()
    }
  }, [])

  // Sent or written on in another tab, while nobody types here: the phone's word counts again.
  const before = useRef(kept)
  useEffect(() => {
    if (pending.current === null && typed !== null && typed === before.current) setTyped(null)
    before.current = kept
  }, [kept, typed])

  function write(content: string): void {
    clearTimeout(pending.current?.timer)
    const run = (): void => {
      clearTimeout(pending.current?.timer)
      pending.current = null
      void ask('draft.keep', { key, content })
    }
    pending.current = { timer: setTimeout(run, KEEP_MS), run }
    latest.current = content
    setTyped(content)
  }

  return {
    text,
    kept: text === (kept ?? ''),
    write,
    hold: () => {
      clearTimeout(pending.current?.timer)
      pending.current = null
    },
    used: (sent) => {
      const rest = sent === null ? latest.current : without(sent, latest.current)
      // At once: a key that comes before the box is drawn anew would bring back what was sent.
      flushSync(() => write(rest))
      return rest
    },
  }
}

/** What of a text is not sent yet. */
export function without(sent: string, text: string): string {
  return text.startsWith(sent) ? text.slice(sent.length).trimStart() : text
}
