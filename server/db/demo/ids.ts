import { random } from './random.ts'

/** A UUIDv7 that is the same at every start: the time of the demo's own calendar and the thing's name instead of chance. */
export function demoId(at: number, ...name: (string | number)[]): string {
  const choice = random('id', ...name)
  const time = Math.floor(at).toString(16).padStart(12, '0')
  const digits = (count: number) => Array.from({ length: count }, () => choice.whole(0, 15).toString(16)).join('')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${digits(3)}-${choice.pick(['8', '9', 'a', 'b'])}${digits(3)}-${digits(12)}`
}
