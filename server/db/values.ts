/** Types that the two drivers would read differently, by oid. */
export const parsers: Readonly<Record<number, (text: string) => unknown>> = {
  17: (text) => Buffer.from(text.slice(2), 'hex'), // bytea
  20: whole, // int8
  1700: Number, // numeric
  1082: (text) => text, // date: a calendar day, not an instant
}

function whole(text: string) {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} does not fit a number`)
  return value
}
