import { useSyncExternalStore } from 'react'
import { useFirstValue } from '../data/firstRender.ts'

export function useMedia(query: string) {
  const matches = () => matchMedia(query).matches
  return useSyncExternalStore(
    (listener) => {
      const list = matchMedia(query)
      list.addEventListener('change', listener)
      return () => list.removeEventListener('change', listener)
    },
    matches,
    // The server renders for a narrow window.
    useFirstValue(matches, false),
  )
}
