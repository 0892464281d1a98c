import { type RefObject, useEffect, useState } from 'react'
import type { MessageDocument } from '#schema/disk/documents'
import type { Status } from '#schema/port/question'

const FOUND_MS = 2000

export interface Wanted {
  /** The server's, or the one on this device. */
  readonly id: string
}

/**
 * Scrolls to a message; loads older ones until it is there. `missing`: it is not on this device and
 * did not come. Returns the id of the message that was found last, for a short while.
 */
export function useReveal(
  scroller: RefObject<HTMLElement | null>,
  wanted: Wanted | null,
  thread: {
    readonly messages: readonly MessageDocument[]
    readonly status: Status
    /** Older messages are on the device, or can be asked for. */
    readonly older: boolean
    readonly more: () => void
  },
  missing: () => void,
): string | null {
  const [done, setDone] = useState<Wanted | null>(null)
  const [found, setFound] = useState<string | null>(null)
  /** How many were shown when more were asked for. */
  const [asked, setAsked] = useState(-1)
  const { messages, status, older, more } = thread

  useEffect(() => {
    if (wanted === null || wanted === done) return
    const message = messages.find(({ id, serverId }) => id === wanted.id || serverId === wanted.id)
    if (message) {
      setDone(wanted)
      setAsked(-1)
      setFound(message.id)
      scroller.current
        ?.querySelector(`[data-message="${CSS.escape(message.id)}"]`)
        ?.scrollIntoView({ block: 'center' })
    } else if (older && asked !== messages.length) {
      setAsked(messages.length)
      more()
    } else if (status === 'ready' || status === 'offline') {
      setDone(wanted)
      setAsked(-1)
      missing()
    }
  }, [wanted, done, asked, messages, status, older, more, missing, scroller])

  useEffect(() => {
    if (found === null) return undefined
    const timer = setTimeout(() => setFound(null), FOUND_MS)
    return () => clearTimeout(timer)
  }, [found, done])

  return found
}
