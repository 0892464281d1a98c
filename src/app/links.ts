import type { AppRouter } from './router.tsx'

/** Plain links to the app's own screens are followed without loading a page: a card of a long list needs no router's link of its own. */
export function followLinks(router: AppRouter): void {
  addEventListener('click', (event) => {
    const address = ownAddress(event)
    if (address === null) return
    event.preventDefault()
    router.history.push(address)
  })
}

/** Where a plain tap on a link leads, if that is a screen of the app's; null for whatever the browser does itself. */
function ownAddress(event: MouseEvent): string | null {
  if (
    event.defaultPrevented ||
    event.button !== 0 ||
    event.metaKey ||
    event.ctrlKey ||
    event.shiftKey ||
    event.altKey
  )
    return null
  const link =
    event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href^="/"]') : null
  if (!link || link.target !== '' || link.hasAttribute('download')) return null
  return link.pathname + link.search + link.hash
}
