/**
 * `+226…` or international; null: invalid ([API 5.3], phone rule). Operators' prefixes change, so
 * they are not checked.
 */
export function phoneNumberOf(typed: string) {
  const digits = typed.replaceAll(/[\s.()\u2010-\u2015-]/g, '').replace(/^00/, '+')
  const number = /^\d{8}$/.test(digits) ? `+226${digits}` : digits
  return /^\+226\d{8}$/.test(number) || /^\+(?!226)[1-9]\d{7,14}$/.test(number) ? number : null
}
