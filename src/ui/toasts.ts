import { TOAST_MS } from '#schema/limits'
import { signal } from '../data/signal.ts'
import type { Sentence } from '../locales/problems.ts'

export type Toast = Readonly<{
  id: number
  text: Sentence
  title?: Sentence
  tone: 'plain' | 'good' | 'danger'
  action?: { readonly label: string; readonly run: () => void }
}>

let shown: Toast | null = null
let made = 0
let lastDanger = -Infinity
const changes = signal()
export const onToast = changes.on

/** One toast at a time: a new one replaces the last. Errors at most once per 2 s [S8.06]. */
export function toast(text: Sentence, more: Partial<Omit<Toast, 'id' | 'text'>> = {}) {
  if (more.tone === 'danger') {
    if (performance.now() - lastDanger < TOAST_MS) return
    lastDanger = performance.now()
  }
  made += 1
  show({ id: made, text, tone: 'plain', ...more })
}

export function dismiss(id: number) {
  if (shown?.id === id) show(null)
}

export function shownToast(): Toast | null {
  return shown
}

function show(next: Toast | null) {
  shown = next
  changes.emit()
}
