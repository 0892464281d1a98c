const reduced = '(prefers-reduced-motion: reduce)'

/** A short vibration, ms, where the phone has one; none for people who want less movement. */
export function vibrate(ms: number): void {
  if (!matchMedia(reduced).matches && 'vibrate' in navigator) navigator.vibrate(ms)
}
