import { forget, keep, stored } from '../data/session.ts'

export type Theme = 'system' | 'light' | 'dark'

const KEY = 'theme'

export function theme(): Theme {
  const chosen = stored(KEY)
  return chosen === 'light' || chosen === 'dark' ? chosen : 'system'
}

export function setTheme(chosen: Theme) {
  if (chosen === 'system') forget(KEY)
  else keep('local', KEY, chosen)
  applyTheme()
}

export function applyTheme() {
  const chosen = theme()
  if (chosen === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = chosen
}
