import { isPlain } from './earlyInput.ts'
import type { RouterHistory } from '@tanstack/react-router'

/** For plain links: thousands of cards need no router links. */
export function followLinks(history: RouterHistory): void {
  addEventListener('click', (event) => {
    const address = ownAddress(event)
    if (address === null) return
    event.preventDefault()
    history.push(address)
  })
}

/** null: the browser handles the click. */
export function ownAddress(event: MouseEvent): string | null {
  if (event.defaultPrevented || !isPlain(event)) return null
  const link =
    event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href^="/"]') : null
  if (!link || link.target !== '' || link.hasAttribute('download')) return null
  return link.pathname + link.search + link.hash
}
