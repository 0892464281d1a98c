import { forget, keep, stored } from './session.ts'

const KEY = 'shortcuts'

/** [S13.66] */
export function hasShortcuts() {
  return stored(KEY) !== 'off'
}

export function setShortcuts(on: boolean) {
  if (on) forget(KEY)
  else keep('local', KEY, 'off')
}

const TYPING = 'input, textarea, select, [contenteditable], [popover], dialog'

/** One of these keys without a modifier: speech input may type them (WCAG 2.1.4). */
export function isShortcut(event: KeyboardEvent, keys: readonly string[]) {
  const { key, target, ctrlKey, metaKey, altKey, defaultPrevented } = event
  const types = target instanceof Element && target.closest(TYPING) !== null
  const plain = !ctrlKey && !metaKey && !altKey && !defaultPrevented
  return keys.includes(key) && plain && !types && hasShortcuts()
}
