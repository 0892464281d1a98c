import { useSyncExternalStore } from 'react'
import { asPrerendered } from '../data/prerendered.ts'

/** Whether a media query holds, live. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (listener) => {
      const list = matchMedia(query)
      list.addEventListener('change', listener)
      return () => list.removeEventListener('change', listener)
    },
    () => matchMedia(query).matches,
    // A phone, until the page knows better.
    () => !import.meta.env.SSR && asPrerendered(matchMedia(query).matches, false),
  )
}
