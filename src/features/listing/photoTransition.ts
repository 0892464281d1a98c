import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { ownAddress } from '../../app/links.ts'
import './photoTransition.css'

const NAME = 'photo'
/** A listing that renders later opens without a transition. */
const WAIT_MS = 100

const REDUCED = '(prefers-reduced-motion: reduce)'

let following = false

/**
 * [S13.26] The photo of a tapped card grows into the listing's. Begins with the first opened
 * listing, when this code is loaded.
 */
export function usePhotoTransition() {
  const { history } = useRouter()
  useEffect(() => {
    if (following || !('startViewTransition' in document)) return
    following = true
    // At the document: before `followLinks` at the window.
    document.addEventListener('click', (event) => {
      const address = ownAddress(event)
      const photo = address === null ? null : photoOf(event.target)
      if (address === null || photo === null || matchMedia(REDUCED).matches) return
      event.preventDefault()
      carry(photo, () => history.push(address))
    })
  }, [history])
}

function carry(photo: HTMLElement, open: () => void) {
  const listing = photo.closest('article')?.dataset['listing'] ?? ''
  photo.style.viewTransitionName = NAME
  const transition = document.startViewTransition?.(async () => {
    photo.style.viewTransitionName = ''
    const rendered = shown(listing)
    open()
    const grown = await rendered
    if (grown === null) return transition?.skipTransition()
    grown.style.viewTransitionName = NAME
    void transition?.finished.finally(() => (grown.style.viewTransitionName = ''))
  })
  // Rejected if skipped, as by another tap or in a hidden page.
  transition?.ready.catch(() => undefined)
}

function photoOf(target: EventTarget | null): HTMLElement | null {
  const card = target instanceof Element ? target.closest('article[data-listing] > a') : null
  const photo = card?.querySelector('img')
  return photo?.complete === true && photo.naturalWidth > 0 ? photo : null
}

/** The first photo's frame, once it is rendered. */
function shown(id: string): Promise<HTMLElement | null> {
  const find = (): HTMLElement | null =>
    document.querySelector(`article[data-listing="${CSS.escape(id)}"] [data-gallery]`)
  return new Promise((resolve) => {
    const end = (found: HTMLElement | null) => {
      changes.disconnect()
      clearTimeout(timer)
      resolve(found)
    }
    const changes = new MutationObserver(() => {
      const found = find()
      if (found) end(found)
    })
    changes.observe(document.body, { childList: true, subtree: true })
    const timer = setTimeout(() => end(null), WAIT_MS)
  })
}
