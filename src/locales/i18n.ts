import type { Language } from '#schema/wire/shapes'
import { i18n } from '@lingui/core'
import { rememberLanguage, session } from '../data/session.ts'

/** Before the first render. The build compiles French into each chunk; English is fetched. */
export async function startLanguage() {
  await activate(session().language)
}

/** [S2.26, S2.30] */
export async function setLanguage(language: Language) {
  await activate(language)
  rememberLanguage(language)
}

async function activate(language: Language) {
  if (language === 'en') {
    try {
      const { messages } = await import('./po/en.po')
      i18n.load('en', messages)
    } catch {
      // Offline, and never downloaded.
      return activate('fr')
    }
  } else {
    i18n.load('fr', {})
  }
  i18n.activate(language)
  if (import.meta.env.SSR) return
  const page = document.documentElement
  // Setting an equal one would recalculate every style (`:lang`).
  if (page.lang !== language) page.lang = language
}
