/** A UUIDv7 of a time in ms and at least 19 random hexadecimal digits. */
export function uuidOf(ms: number, random: string) {
  const time = ms.toString(16).padStart(12, '0')
  const variant = (8 + (Number.parseInt(random.slice(3, 4), 16) & 3)).toString(16)
  return [
    time.slice(0, 8),
    time.slice(8),
    `7${random.slice(0, 3)}`,
    variant + random.slice(4, 7),
    random.slice(7, 19),
  ].join('-')
}
