/** A short vibration, where the device has one. */
export function buzz(): void {
  if ('vibrate' in navigator && !matchMedia('(prefers-reduced-motion: reduce)').matches)
    navigator.vibrate(12)
}
