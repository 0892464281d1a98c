import { type RefObject, useEffect } from 'react'

/** Less than this, px, is a browser's bar and no keyboard. */
const KEYBOARD_MIN = 120
/** What a small phone has left above its keyboard, px: all of it goes to the messages and the box. */
const TIGHT = 420

/**
 * Keeps a pane between the header with its banners and the on-screen keyboard: `--top` and `--keyboard` on the element, px.
 * A phone's keyboard covers the page without resizing it; only the visual viewport tells. Some browsers do resize the page: then
 * a box with the focus in little room tells. While a keyboard is open the pane takes the header's place (`data-keyboard`, `tight`
 * where little is left).
 */
export function useFill(place: RefObject<HTMLElement | null>, on: boolean): void {
  useEffect(() => {
    const element = place.current
    const view = visualViewport
    if (!on || !element) return undefined
    const fit = (): void => {
      const covered = view ? innerHeight - view.height : 0
      const height = view?.height ?? innerHeight
      const open =
        covered > KEYBOARD_MIN ||
        (height < TIGHT &&
          element.contains(document.activeElement) &&
          document.activeElement?.tagName === 'TEXTAREA')
      const above =
        open && view ? view.offsetTop : Math.max(0, element.getBoundingClientRect().top + scrollY)
      if (open) element.setAttribute('data-keyboard', height < TIGHT ? 'tight' : '')
      else element.removeAttribute('data-keyboard')
      element.style.setProperty('--top', `${above}px`)
      element.style.setProperty('--keyboard', `${open && view ? covered - view.offsetTop : 0}px`)
    }
    fit()
    // Header, banners and lines come, go and wrap: each of them moves what stands below.
    const sizes = new ResizeObserver(fit)
    const main = element.closest('main') ?? document.body
    const around = main.parentElement ?? main
    const follow = (): void => {
      sizes.disconnect()
      for (const part of [...around.children, ...main.children]) sizes.observe(part)
      fit()
    }
    const parts = new MutationObserver(follow)
    for (const place of [around, main]) parts.observe(place, { childList: true })
    follow()
    for (const event of ['focusin', 'focusout']) element.addEventListener(event, fit)
    view?.addEventListener('resize', fit)
    view?.addEventListener('scroll', fit)
    return () => {
      parts.disconnect()
      sizes.disconnect()
      for (const event of ['focusin', 'focusout']) element.removeEventListener(event, fit)
      view?.removeEventListener('resize', fit)
      view?.removeEventListener('scroll', fit)
    }
  }, [place, on])
}
