import type { Language } from '#schema/wire/shapes'
import { i18n } from '@lingui/core'
import { rememberLanguage, session } from '../data/session.ts'

/** French stands in the code, compiled by the build, so it comes with the chunk that says it; English is fetched when wanted. */

/** Before the first render: French at once, English as soon as it is there. */
export async function startLanguage(): Promise<void> {
  await activate(session().language)
}

/** Changes the language everywhere, at once and for good [S2.26, S2.30]. */
export async function setLanguage(language: Language): Promise<void> {
  await activate(language)
  rememberLanguage(language)
}

async function activate(language: Language): Promise<void> {
  if (language === 'en') {
    try {
      const { messages } = await import('./po/en.po')
      i18n.load('en', messages)
    } catch {
      // Not on this phone yet and no network: French is better than nothing.
      return activate('fr')
    }
  } else {
    i18n.load('fr', {})
  }
  i18n.activate(language)
  if (import.meta.env.SSR) return
  const page = document.documentElement
  // Said again it would cost the style of every element anew (`:lang`).
  if (page.lang !== language) page.lang = language
}
