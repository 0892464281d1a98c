export function flag(value: unknown): boolean | null {
  if (value === true || value === 1 || value === 'true' || value === '1') return true
  return value === false || value === 0 || value === 'false' || value === '0' ? false : null
}
