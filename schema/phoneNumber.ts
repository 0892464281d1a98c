/**
 * A telephone number as it is kept, `+226…` or another country's, or null when it is none ([API 5.3], phone rule).
 * Number plans change, so operators' prefixes are not looked at.
 */
export function phoneNumberOf(typed: string): string | null {
  const digits = typed.replaceAll(/[\s.()\u2010-\u2015-]/g, '').replace(/^00/, '+')
  const number = /^\d{8}$/.test(digits) ? `+226${digits}` : digits
  return /^\+226\d{8}$/.test(number) || /^\+(?!226)[1-9]\d{7,14}$/.test(number) ? number : null
}
