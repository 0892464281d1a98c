/** "+226 70 12 34 56": in pairs, between which large text may break; foreign numbers as they are. */
export function shownNumber(phone: string): string {
  const own = /^\+226(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(phone)
  return own ? ['+226', ...own.slice(1)].join(' ') : phone
}

/** The demo's numbers are of a series that is not in service (users.json, `demo_series`). */
export function demoNumber(phone: string): boolean {
  return /^\+22609\d{6}$/.test(phone)
}

/** Opens WhatsApp with the listing quoted. */
export function whatsapp(phone: string, words: string): string {
  return `https://wa.me/${phone.replace(/\D/g, '')}?text=${encodeURIComponent(words)}`
}
