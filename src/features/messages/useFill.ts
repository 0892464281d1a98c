import { type RefObject, useEffect } from 'react'

/**
 * Keeps a pane between the header with its banners and the on-screen keyboard: `--top` and `--keyboard` on the element, px.
 * A phone's keyboard covers the page without resizing it; only the visual viewport tells.
 */
export function useFill(place: RefObject<HTMLElement | null>, on: boolean): void {
  useEffect(() => {
    const element = place.current
    const view = visualViewport
    if (!on || !element) return undefined
    const fit = (): void => {
      const keyboard = view ? Math.max(0, innerHeight - view.height - view.offsetTop) : 0
      element.style.setProperty('--top', `${Math.max(0, element.getBoundingClientRect().top + scrollY)}px`)
      element.style.setProperty('--keyboard', `${keyboard > 80 ? keyboard : 0}px`)
    }
    fit()
    const sizes = new ResizeObserver(fit)
    sizes.observe(document.body)
    const header = document.querySelector('header')
    if (header) sizes.observe(header)
    view?.addEventListener('resize', fit)
    view?.addEventListener('scroll', fit)
    return () => {
      sizes.disconnect()
      view?.removeEventListener('resize', fit)
      view?.removeEventListener('scroll', fit)
    }
  }, [place, on])
}
