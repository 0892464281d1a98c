import { forget, keep, stored } from './session.ts'

const KEY = 'shortcuts'

/** [S13.66]: keys without a modifier; speech input may type them (WCAG 2.1.4). */
export function hasShortcuts(): boolean {
  return stored(KEY) !== 'off'
}

export function setShortcuts(on: boolean): void {
  if (on) forget(KEY)
  else keep('local', KEY, 'off')
}
