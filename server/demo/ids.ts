import { random } from './random.ts'

/**
 * A reproducible UUIDv7: the time of the demo's fixed calendar, and a hash of the name instead of
 * random bits.
 */
export function demoId(at: number, ...name: (string | number)[]): string {
  const choice = random('id', ...name)
  const time = Math.floor(at).toString(16).padStart(12, '0')
  const digits = (count: number) =>
    Math.floor(choice.next() * 2 ** 32)
      .toString(16)
      .padStart(8, '0')
      .slice(0, count)
  const begin = `${time.slice(0, 8)}-${time.slice(8)}-7${digits(3)}`
  return `${begin}-${choice.pick(['8', '9', 'a', 'b'])}${digits(3)}-${digits(8)}${digits(4)}`
}
