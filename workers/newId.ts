/** A UUIDv7: 48 bits of time, then random bits. */
export function newId(): string {
  const time = Date.now().toString(16).padStart(12, '0')
  const chance = crypto.randomUUID().replaceAll('-', '')
  const variant = (8 + (Number.parseInt(chance.slice(15, 16), 16) & 3)).toString(16)
  return `${time.slice(0, 8)}-${time.slice(8)}-7${chance.slice(12, 15)}-${variant}${chance.slice(16, 19)}-${chance.slice(19, 31)}`
}
