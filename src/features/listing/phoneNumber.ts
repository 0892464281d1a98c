/** "+226 70 12 34 56": large text may wrap. */
export function shownNumber(phone: string): string {
  const own = /^\+226(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(phone)
  return own ? ['+226', ...own.slice(1)].join(' ') : phone
}

/** Of an unassigned series (users.json, `demo_series`). */
export function demoNumber(phone: string): boolean {
  return /^\+22609\d{6}$/.test(phone)
}

export function whatsapp(phone: string, text: string): string {
  return `https://wa.me/${phone.replace(/\D/g, '')}?text=${encodeURIComponent(text)}`
}
