import { Suspense } from 'react'
import { render } from './app/render.tsx'
import type { Embedded } from './data/firstRender.ts'
import { startLanguage } from './locales/i18n.ts'

/** The server's entry, for any visitor [S9.06]. `url`: path and query. */
export async function prerender(url: string, { answers, ...from }: Embedded) {
  await startLanguage()
  return render(url, { ...from, answer: (key) => answers[key] }, Suspense)
}
