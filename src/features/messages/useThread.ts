import { type RefObject, useEffect, useRef, useState } from 'react'
import { MESSAGES_PAGE, THREAD_ROWS_MAX } from '#schema/limits'
import { useLiveQuery } from '../../data/read.ts'
import { shownFrom } from './thread.ts'
import { send } from '../../data/ask.ts'
import type { MessageDocument } from '#schema/disk/documents'
import type { Status } from '#schema/port/question'
import { after } from '../../ui/effects.ts'

/** So many messages may arrive before the next query. */
const SPARE = MESSAGES_PAGE / 2

/** Keeps the shown rows. `least`: rows to load, shown or not. */
export function useThread(conversation: string, least: number) {
  const [wanted, setWanted] = useState(2 * MESSAGES_PAGE - SPARE)
  const [asked, setAsked] = useState(wanted + SPARE)
  const limit = Math.min(Math.max(asked, least), THREAD_ROWS_MAX)
  const [oldest, setOldest] = useState(Infinity)
  const { rows, facts, status } = useLiveQuery('messages.thread', { conversation, limit })
  const start = shownFrom(rows, wanted, oldest)
  const first = rows[start]?.order ?? Infinity
  if (first < oldest) setOldest(first)
  if (start === 0 && rows.length === asked) setAsked(asked + SPARE)

  return {
    messages: start === 0 ? rows : rows.slice(start),
    facts,
    status,
    older: start > 0 || rows.length >= limit,
    more: () => {
      const next = rows.length - start + 2 * MESSAGES_PAGE
      setWanted(next)
      setAsked(next + SPARE)
    },
  }
}

const SEEN_MS = 400

/** Marks read up to the newest in view [API 11.6]. `last`: the newest `seq`, 0: none. */
export function useSeen(
  thread: RefObject<HTMLElement | null>,
  conversation: string,
  readUntil: number,
  last: number,
) {
  const reported = useRef(0)

  useEffect(() => {
    const element = thread.current
    if (!element || last === 0) return undefined
    let newest = 0
    let timer: ReturnType<typeof setTimeout> | undefined

    function report() {
      if (document.visibilityState !== 'visible' || newest <= Math.max(reported.current, readUntil))
        return
      reported.current = newest
      void send('conversation.read', { conversation, upTo: newest })
    }
    function later() {
      clearTimeout(timer)
      timer = setTimeout(report, SEEN_MS)
    }

    const watcher = new IntersectionObserver(
      (sights) => {
        for (const { isIntersecting, target } of sights) {
          const seq = target instanceof HTMLElement ? Number(target.dataset['seq']) : 0
          if (isIntersecting && seq > newest) newest = seq
        }
        later()
      },
      { root: element },
    )
    for (const bubble of element.querySelectorAll('[data-seq]')) watcher.observe(bubble)
    document.addEventListener('visibilitychange', later)
    return () => {
      clearTimeout(timer)
      watcher.disconnect()
      document.removeEventListener('visibilitychange', later)
    }
  }, [thread, conversation, readUntil, last])
}

const FOUND_MS = 2000
const FRAMES = 4
const GIVE_UP_MS = 8000

/** Folded words to mark, and the message to show. */
export interface Find {
  readonly words: string
  readonly wanted: Wanted | null
}

export interface Wanted {
  readonly id: string
}

/**
 * Scrolls to a message, loading older ones. `missing`: it did not come. Returns the id of the one
 * found last, for a short while.
 */
export function useReveal(
  scroller: RefObject<HTMLElement | null>,
  wanted: Wanted | null,
  thread: {
    readonly messages: readonly MessageDocument[]
    readonly status: Status
    /** There are older ones here or on the server. */
    readonly older: boolean
    readonly more: () => void
  },
  missing: () => void,
) {
  const [found, setFound] = useState<string | null>(null)
  const done = useRef<Wanted | null>(null)
  /** The last request, and how many were shown then. */
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
    const giveUp = () => {
      done.current = wanted
      missing()
    }
    // "ready" may describe the rows before the request: only its answer says whether there are
    // older ones.
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

/** Rows out of view have estimated heights: the first scroll may end beside. */
function center(element: Element | null, frames: number) {
  element?.scrollIntoView({ block: 'center' })
  if (frames > 1) requestAnimationFrame(() => center(element, frames - 1))
}
