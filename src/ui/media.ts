import { useSyncExternalStore } from 'react'
import { asPrerendered } from '../data/prerendered.ts'

export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (listener) => {
      const list = matchMedia(query)
      list.addEventListener('change', listener)
      return () => list.removeEventListener('change', listener)
    },
    () => matchMedia(query).matches,
    // A narrow window until hydration is done.
    () => !import.meta.env.SSR && asPrerendered(matchMedia(query).matches, false),
  )
}
