import type { Language } from '#schema/wire/shapes'
import { i18n } from '@lingui/core'
import { rememberLanguage, session } from '../data/session.ts'

/**
 * The build compiles French into each chunk; English is a separate catalogue, fetched on demand.
 */

/** Before the first render: French at once, English once loaded. */
export async function startLanguage(): Promise<void> {
  await activate(session().language)
}

/** Changes the language everywhere, and saves the choice [S2.26, S2.30]. */
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
      // Offline and not downloaded yet: French is better than nothing.
      return activate('fr')
    }
  } else {
    i18n.load('fr', {})
  }
  i18n.activate(language)
  if (import.meta.env.SSR) return
  const page = document.documentElement
  // Setting an equal value again would recalculate every element's style (`:lang`).
  if (page.lang !== language) page.lang = language
}
