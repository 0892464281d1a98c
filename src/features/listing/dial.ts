/** On a phone, opens the dialler with the number; elsewhere the number is shown only. */
export function dial(phone: string): void {
  if (canLeave() && matchMedia('(max-width: 900px) and (pointer: coarse)').matches)
    location.assign(`tel:${phone}`)
}

/** In a tab of its own: on a phone, the app that the address belongs to. */
export function openOutside(address: string): void {
  if (canLeave()) open(address, '_blank', 'noopener')
}

/** Browsers allow it for some seconds after a tap; the answer may come later than that. */
function canLeave(): boolean {
  return navigator.userActivation?.isActive ?? true
}
