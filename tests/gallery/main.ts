import { states } from './states.ts'

/**
 * `?state=NAME` shows one state (`lang=en`, `theme=dark`), no state the list of them. Session and
 * language are stored first, because the app's modules read them when they load.
 */
const query = new URLSearchParams(location.search)
const state = states.find(({ name }) => name === query.get('state'))

localStorage.clear()
sessionStorage.clear()
if (state === undefined) {
  const { showList } = await import('./list.ts')
  showList(states)
} else {
  localStorage.setItem('appLanguage', query.get('lang') === 'en' ? 'en' : 'fr')
  const theme = query.get('theme')
  if (theme !== null) localStorage.setItem('theme', theme)
  if (state.me !== '') localStorage.setItem('authToken', 'token')
  const { begin } = await import('./engine.ts')
  await begin(state)
  const { show } = await import('./show.tsx')
  await show(state)
}
