export const wantsLessMovement = (): boolean =>
  matchMedia('(prefers-reduced-motion: reduce)').matches

export function vibrate(ms: number): void {
  if (!wantsLessMovement() && 'vibrate' in navigator) navigator.vibrate(ms)
}
