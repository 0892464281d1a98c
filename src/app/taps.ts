/**
 * A page stands before its scripts: what is tapped meanwhile waits, looks tapped, and is done as soon as the app answers. Links
 * wait only on a page that this phone drew, whose scripts are at hand; elsewhere the server's next page is as near.
 * Answers what lets the taps go, in their order.
 */
export function holdTaps(): () => void {
  const what = document.getElementById('root')?.dataset['drawn'] === 'phone' ? 'button, a[href^="/"]' : 'button'
  const held = new Set<HTMLElement>()
  const hold = (event: MouseEvent): void => {
    const tapped = event.target instanceof Element ? event.target.closest<HTMLElement>(what) : null
    if (!tapped || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    if (held.has(tapped)) return
    held.add(tapped)
    tapped.setAttribute('data-tapped', '')
  }
  addEventListener('click', hold, { capture: true })
  return () => {
    removeEventListener('click', hold, { capture: true })
    for (const tapped of held) {
      tapped.removeAttribute('data-tapped')
      if (tapped.isConnected) tapped.click()
    }
  }
}
