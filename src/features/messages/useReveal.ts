import { type RefObject, useEffect, useRef, useState } from 'react'
import type { MessageDocument } from '#schema/disk/documents'
import type { Status } from '#schema/port/question'
import { after } from '../../ui/effects.ts'

const FOUND_MS = 2000
const FRAMES = 4
const GIVE_UP_MS = 8000

export interface Wanted {
  /** The message's id on the server, or its local one. */
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
  const [found, setFound] = useState<string | null>(null)
  const done = useRef<Wanted | null>(null)
  /** The last request for older ones, and how many messages were shown then. */
  const asked = useRef<{ readonly wanted: Wanted; readonly shown: number } | null>(null)
  const { messages, status, older, more } = thread

  useEffect(() => {
    if (wanted === null || wanted === done.current) return undefined
    const message = messages.find(({ id, serverId }) => id === wanted.id || serverId === wanted.id)
    const shown = messages.length
    if (!message && older && (asked.current?.wanted !== wanted || asked.current.shown !== shown)) {
      asked.current = { wanted, shown }
      more()
      return undefined
    }
    const giveUp = (): void => {
      done.current = wanted
      missing()
    }
    // Waits: "ready" may describe the rows before the request, and only its answer says whether
    // there are older ones.
    if (!message && status !== 'offline' && (older || status !== 'ready')) {
      return after(GIVE_UP_MS, giveUp)
    }
    if (!message) {
      giveUp()
      return undefined
    }
    const frame = requestAnimationFrame(() => {
      done.current = wanted
      setFound(message.id)
      const selector = `[data-message="${CSS.escape(message.id)}"]`
      center(scroller.current?.querySelector(selector) ?? null, FRAMES)
    })
    return () => cancelAnimationFrame(frame)
  }, [wanted, messages, status, older, more, missing, scroller])

  useEffect(() => {
    if (found === null) return undefined
    return after(FOUND_MS, () => setFound(null))
  }, [found])

  return found
}

/** Rows out of view have an estimated height: the first scroll may end beside its place. */
function center(element: Element | null, frames: number): void {
  element?.scrollIntoView({ block: 'center' })
  if (frames > 1) requestAnimationFrame(() => center(element, frames - 1))
}
