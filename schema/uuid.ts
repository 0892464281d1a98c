/** A UUIDv7 of a time in ms and 32 random hexadecimal digits. */
export function uuidOf(ms: number, random: string): string {
  const time = ms.toString(16).padStart(12, '0')
  const variant = (8 + (Number.parseInt(random.slice(15, 16), 16) & 3)).toString(16)
  return [
    time.slice(0, 8),
    time.slice(8),
    `7${random.slice(12, 15)}`,
    variant + random.slice(16, 19),
    random.slice(19, 31),
  ].join('-')
}
