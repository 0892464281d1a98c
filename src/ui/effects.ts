/** For React's effects: each function returns the way to end what it begins. */

export function after(ms: number, then: () => void): () => void {
  const timer = setTimeout(then, ms)
  return () => clearTimeout(timer)
}

export function onKeyDown(then: (event: KeyboardEvent) => void): () => void {
  document.addEventListener('keydown', then)
  return () => document.removeEventListener('keydown', then)
}

/** `flush` also at the end. */
export function onLeave(flush: () => void): () => void {
  addEventListener('pagehide', flush)
  return () => {
    removeEventListener('pagehide', flush)
    flush()
  }
}

/** `then` gets whether the element is in sight, first and with each change. */
export function observeSight(
  element: Element,
  then: (inSight: boolean) => void,
  rootMargin = '0px',
): () => void {
  // One callback may report two frames, the older first: it may be visible only in the second.
  const observer = new IntersectionObserver(
    (sights) => then(sights.some(({ isIntersecting }) => isIntersecting)),
    { rootMargin },
  )
  observer.observe(element)
  return () => observer.disconnect()
}
