import { useEffect } from 'react'
import { isShortcut } from '../data/shortcuts.ts'

/** [S13.56]: j and k move the focus from row to row; Enter then opens, as on any link. */
export function useListKeys() {
  useEffect(() => {
    addEventListener('keydown', follow)
    return () => removeEventListener('keydown', follow)
  }, [])
}

function follow(event: KeyboardEvent) {
  if (!isShortcut(event, ['j', 'k'])) return
  const links = [...document.querySelectorAll<HTMLElement>(ROWS)]
  const at = links.findIndex((link) => link.parentElement?.contains(document.activeElement))
  // With the focus elsewhere, the first card in sight.
  const from = at >= 0 ? at + (event.key === 'j' ? 1 : -1) : links.findIndex(isInSight)
  const link = links[Math.max(0, from)]
  link?.focus()
  link?.scrollIntoView({ block: 'nearest' })
}

const ROWS = 'main :is(article[data-listing] > a, a[data-conversation])'

const isInSight = (link: HTMLElement) => link.getBoundingClientRect().top >= BAR_PX

const BAR_PX = 60
