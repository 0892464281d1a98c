/** A UUIDv7: 48 bits of time, then random bits. */
export function newId(): string {
  const time = Date.now().toString(16).padStart(12, '0')
  const random = crypto.randomUUID().replaceAll('-', '')
  const variant = (8 + (Number.parseInt(random.slice(15, 16), 16) & 3)).toString(16)
  return [
    time.slice(0, 8),
    time.slice(8),
    `7${random.slice(12, 15)}`,
    variant + random.slice(16, 19),
    random.slice(19, 31),
  ].join('-')
}
