/** A wheel or arrow keys fire scrollend after each step. */
const SETTLE_MS = 100
/** Below the header: a card, or the gap above the next one. */
const STEPS_PX = [8, 24, 48]

/** On rotation scrolls to the same top card: the browser would keep the distance in px. */
export function followOrientation() {
  let top: Element | null = null
  let width = innerWidth
  let timer: ReturnType<typeof setTimeout> | undefined
  // Only after scrolling: a hit test costs a frame.
  addEventListener('scrollend', () => {
    clearTimeout(timer)
    timer = setTimeout(() => (top = scrollY === 0 ? null : cardAtTop()), SETTLE_MS)
  })
  addEventListener('resize', () => {
    if (innerWidth === width) return
    width = innerWidth
    if (top?.isConnected === true) top.scrollIntoView()
  })
}

function cardAtTop() {
  const header = document.querySelector('header')?.getBoundingClientRect().bottom ?? 0
  for (const step of STEPS_PX) {
    const card =
      document
        .elementFromPoint(innerWidth / 4, Math.max(0, header) + step)
        ?.closest('[data-part] > article') ?? null
    if (card) return card
  }
  return null
}
