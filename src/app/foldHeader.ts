import { isShortcut } from '../data/shortcuts.ts'

/** Less is the page settling, or a finger that rests. */
const STEP_PX = 6
const HEADER_PX = 60
const HEADER = '#root > header'

/** [S13.02] `data-folded` on `html`: on narrow windows the header hides while one scrolls down. */
export function foldHeader() {
  const root = document.documentElement
  let last = scrollY
  addEventListener(
    'scroll',
    () => {
      const now = scrollY
      if (now > HEADER_PX && Math.abs(now - last) < STEP_PX) return
      const inUse = document.querySelector(`${HEADER} :is(:focus-visible, :popover-open)`) !== null
      root.toggleAttribute('data-folded', now > Math.max(last, HEADER_PX) && !inUse)
      last = now
    },
    { passive: true },
  )
  addEventListener('focusin', ({ target }) => {
    if (target instanceof Element && target.closest(HEADER)) root.removeAttribute('data-folded')
  })
}

/** [S13.07] "/" goes to the search. */
export function slashToSearch() {
  addEventListener('keydown', (event) => {
    if (!isShortcut(event, ['/']) || document.querySelector('dialog[open]')) return
    const box = document.querySelector<HTMLInputElement>(`${HEADER} [type=search]`)
    if (box) event.preventDefault()
    box?.select()
  })
}
