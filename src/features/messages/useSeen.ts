import { type RefObject, useEffect, useRef } from 'react'
import { send } from '../../data/send.ts'

const SEEN_MS = 400

/**
 * Marks read up to the newest peer message in view [API 11.6]. `last`: their newest `seq`, 0 for
 * none.
 */
export function useSeen(
  thread: RefObject<HTMLElement | null>,
  conversation: string,
  readUntil: number,
  last: number,
): void {
  const reported = useRef(0)

  useEffect(() => {
    const element = thread.current
    if (!element || last === 0) return undefined
    let newest = 0
    let timer: ReturnType<typeof setTimeout> | undefined

    function report(): void {
      if (document.visibilityState !== 'visible' || newest <= Math.max(reported.current, readUntil))
        return
      reported.current = newest
      void send('conversation.read', { conversation, upTo: newest })
    }
    function later(): void {
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
