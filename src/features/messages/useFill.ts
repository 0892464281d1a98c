import { type RefObject, useEffect } from 'react'

const KEYBOARD_MIN = 120
/** Height left above the keyboard on a small phone, px: all of it goes to messages and composer. */
const TIGHT = 420

/**
 * Fits a pane between header and on-screen keyboard (`--top`, `--keyboard`, px). Some keyboards
 * only resize the visual viewport.
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
    // Header, banners and lines appear, vanish and wrap, which moves the pane.
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
