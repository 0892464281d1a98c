import { type RefObject, useEffect } from 'react'

/** Less than this, px, is a browser's bar and no keyboard. */
const KEYBOARD_MIN = 120

/**
 * Keeps a pane between the header with its banners and the on-screen keyboard: `--top` and `--keyboard` on the element, px.
 * A phone's keyboard covers the page without resizing it; only the visual viewport tells. While one is open the pane
 * takes the header's place (`data-keyboard`): a small phone has 300 px left then.
 */
export function useFill(place: RefObject<HTMLElement | null>, on: boolean): void {
  useEffect(() => {
    const element = place.current
    const view = visualViewport
    if (!on || !element) return undefined
    const fit = (): void => {
      const covered = view ? innerHeight - view.height : 0
      const open = covered > KEYBOARD_MIN
      const above = open && view ? view.offsetTop : Math.max(0, element.getBoundingClientRect().top + scrollY)
      element.toggleAttribute('data-keyboard', open)
      element.style.setProperty('--top', `${above}px`)
      element.style.setProperty('--keyboard', `${open && view ? covered - view.offsetTop : 0}px`)
    }
    fit()
    // Header, banners and lines come, go and wrap: each of them moves what stands below.
    const sizes = new ResizeObserver(fit)
    const around = element.closest('main')?.parentElement ?? document.body
    const follow = (): void => {
      sizes.disconnect()
      for (const part of around.children) sizes.observe(part)
    }
    const parts = new MutationObserver(follow)
    parts.observe(around, { childList: true })
    follow()
    view?.addEventListener('resize', fit)
    view?.addEventListener('scroll', fit)
    return () => {
      parts.disconnect()
      sizes.disconnect()
      view?.removeEventListener('resize', fit)
      view?.removeEventListener('scroll', fit)
    }
  }, [place, on])
}
