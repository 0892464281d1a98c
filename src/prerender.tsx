import { createMemoryHistory } from '@tanstack/react-router'
import { renderToString } from 'react-dom/server'
import { App } from './app/App.tsx'
import { makeRouter } from './app/router.tsx'
import { setEmbedded } from './data/firstAnswers.ts'
import { renderWithSaveData } from './data/saveData.ts'
import { startLanguage } from './locales/i18n.ts'

/**
 * The server's entry: renders the app for an anonymous visitor without a language choice [S9.06].
 */

const NOT_YET = '<!--$!-->'
const TRY_MS = 10
const MOST_TRIES = 20

/**
 * `url`: path and query; `given`: answers to its queries, also embedded in the page. The added
 * comments mark the router's own Suspense boundary.
 */
export async function prerender(
  url: string,
  given: Parameters<typeof setEmbedded>[0],
  saveData: boolean,
): Promise<string> {
  const router = makeRouter(createMemoryHistory({ initialEntries: [url] }))
  await Promise.all([startLanguage(), router.load()])
  for (let tries = 0; ; tries++) {
    // Synchronous from here: no other request can change this module state in between.
    setEmbedded(given)
    renderWithSaveData(saveData)
    const html = renderToString(<App router={router} />)
    // A lazy chunk that this process renders for the first time is still being read from disk.
    if (!html.includes(NOT_YET) || tries === MOST_TRIES) return `<!--$-->${html}<!--/$-->`
    await new Promise((resolve) => setTimeout(resolve, TRY_MS))
  }
}
