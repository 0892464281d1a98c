import type { AnyRouter } from '@tanstack/react-router'
import { savesData } from '../data/saveData.ts'
import { isPlain } from './earlyInput.ts'

/** For plain links: thousands of cards need no router links. */
export function followLinks(router: AnyRouter) {
  for (const kind of ['pointerover', 'pointerdown', 'focusin'] as const)
    addEventListener(kind, ({ target }) => loadScreen(router, target), { passive: true })
  addEventListener('click', (event) => {
    const address = ownAddress(event)
    if (address === null) return
    event.preventDefault()
    router.history.push(address)
  })
}

let near: HTMLAnchorElement | null = null

/** Once a link is under a pointer or finger, or has the focus: the tap then finds the code. */
function loadScreen(router: AnyRouter, target: EventTarget | null) {
  const link = linkOf(target)
  if (link === null || link === near || savesData()) return
  near = link
  for (const { routeId } of router.matchRoutes(link.pathname, {}))
    void router.loadRouteChunk(router.routesById[routeId])?.catch(() => undefined)
}

const linkOf = (target: EventTarget | null) =>
  target instanceof Element ? target.closest<HTMLAnchorElement>('a[href^="/"]') : null

/** null: the browser handles the click. */
export function ownAddress(event: MouseEvent) {
  if (event.defaultPrevented || !isPlain(event)) return null
  const link = linkOf(event.target)
  if (!link || link.target !== '' || link.hasAttribute('download')) return null
  return link.pathname + link.search + link.hash
}
