import { useEffect, useRef } from 'react'
import { TYPING_SENT_MS } from '#schema/limits'
import { ask } from '../../data/ask.ts'

/** At most one typing event per 3 s, and the stop event [API 14.3]. */
export function useTyping(conversation: string) {
  const last = useRef(-Infinity)

  function typing(): void {
    if (performance.now() - last.current < TYPING_SENT_MS) return
    last.current = performance.now()
    void ask('conversation.typing', { conversation, active: true })
  }

  function stopped(): void {
    if (last.current === -Infinity) return
    last.current = -Infinity
    void ask('conversation.typing', { conversation, active: false })
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
