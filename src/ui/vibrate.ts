export const wantsLessMovement = () => matchMedia('(prefers-reduced-motion: reduce)').matches

export function vibrate(ms: number) {
  if (!wantsLessMovement() && 'vibrate' in navigator) navigator.vibrate(ms)
}
