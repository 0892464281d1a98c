import { useEffect } from 'react'
import { hasShortcuts } from '../data/shortcuts.ts'

/** [S13.56]: j and k move the focus from row to row; Enter then opens, as on any link. */
export function useListKeys(): void {
  useEffect(() => {
    addEventListener('keydown', follow)
    return () => removeEventListener('keydown', follow)
  }, [])
}

function follow({ key, target, ctrlKey, metaKey, altKey, defaultPrevented }: KeyboardEvent) {
  if ((key !== 'j' && key !== 'k') || ctrlKey || metaKey || altKey || defaultPrevented) return
  if (!hasShortcuts()) return
  if (!(target instanceof Element) || target.closest('input, select, textarea, dialog, [popover]'))
    return
  const links = [...document.querySelectorAll<HTMLElement>(ROWS)]
  const at = links.findIndex((link) => link.parentElement?.contains(target))
  // With the focus elsewhere, the first card in sight.
  const from = at >= 0 ? at + (key === 'j' ? 1 : -1) : links.findIndex(isInSight)
  const link = links[Math.max(0, from)]
  link?.focus()
  link?.scrollIntoView({ block: 'nearest' })
}

const ROWS = 'main :is(article[data-listing] > a, a[data-conversation])'

const isInSight = (link: HTMLElement) => link.getBoundingClientRect().top >= BAR_PX

/** What the header may cover at the top. */
const BAR_PX = 60
