import { Suspense } from 'react'
import { render } from './app/render.tsx'
import type { Embedded } from './data/firstRender.ts'
import { startLanguage } from './locales/i18n.ts'

/**
 * The server's entry: renders the app for an anonymous visitor without a language choice [S9.06].
 * `url`: path and query; `from`: is embedded in the page, too.
 */
export async function prerender(url: string, { answers, ...from }: Embedded): Promise<string> {
  await startLanguage()
  return render(url, { ...from, answer: (key) => answers[key] }, Suspense)
}
