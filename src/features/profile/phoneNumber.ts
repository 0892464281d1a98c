/** A phone number by the rule of [API 5.3], such as "+22670123456"; undefined: invalid. */
export function phoneOf(typed: string): string | undefined {
  const bare = typed.replace(/[\s.\-()]/gu, '').replace(/^00/u, '+')
  const number = /^\d{8}$/u.test(bare) ? `+226${bare}` : bare
  return /^\+226\d{8}$/u.test(number) || /^\+(?!226)[1-9]\d{7,14}$/u.test(number)
    ? number
    : undefined
}
