import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { ask } from '../../data/ask.ts'
import { onLeave } from '../../ui/effects.ts'
import { useLiveQuery } from '../../data/read.ts'
import { TYPING_SENT_MS } from '#schema/limits'

const KEEP_MS = 300

export function useDraft(key: string) {
  const { facts } = useLiveQuery('draft.text', { key })
  const kept = facts?.content
  const [typed, setTyped] = useState<string | null>(null)
  const [known, setKnown] = useState(false)
  const text = typed ?? kept ?? ''

  if (!known && kept !== undefined) {
    setKnown(true)
    // Typed before the saved text was loaded: the saved text comes first.
    if (typed !== null && kept !== '') setTyped(`${kept}\n${typed}`)
  }

  const latest = useRef(text)
  useEffect(() => {
    latest.current = text
  }, [text])

  const pending = useRef<{ timer: ReturnType<typeof setTimeout>; run: () => void } | null>(null)
  useEffect(() => onLeave(() => pending.current?.run()), [])

  // Changed in another tab while nobody types here: the saved text applies again.
  const before = useRef(kept)
  useEffect(() => {
    if (pending.current === null && typed !== null && typed === before.current) setTyped(null)
    before.current = kept
  }, [kept, typed])

  /** While a command consumes the text: text saved now would outlive it. */
  function hold() {
    clearTimeout(pending.current?.timer)
    pending.current = null
  }

  function write(content: string) {
    hold()
    const run = () => {
      hold()
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
    hold,
    used: (sent: string | null) => {
      const rest = sent === null ? latest.current : without(sent, latest.current)
      // Synchronously: a key pressed before the next render would restore it.
      flushSync(() => write(rest))
      return rest
    },
  }
}

export function without(sent: string, text: string) {
  return text.startsWith(sent) ? text.slice(sent.length).trimStart() : text
}

/** At most one per 3 s, and the stop event [API 14.3]. */
export function useTyping(conversation: string) {
  const last = useRef(-Infinity)

  function tell(active: boolean) {
    last.current = active ? performance.now() : -Infinity
    void ask('conversation.typing', { conversation, active })
  }

  function typing() {
    if (performance.now() - last.current >= TYPING_SENT_MS) tell(true)
  }

  function stopped() {
    if (last.current !== -Infinity) tell(false)
  }

  useEffect(
    () => () => {
      if (last.current !== -Infinity)
        void ask('conversation.typing', { conversation, active: false })
    },
    [conversation],
  )
  return { typing, stopped }
}
