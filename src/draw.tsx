import { createMemoryHistory } from '@tanstack/react-router'
import { renderToString } from 'react-dom/server'
import { App } from './app/App.tsx'
import { makeRouter } from './app/router.tsx'
import { give } from './data/firstAnswers.ts'
import { renderWithSaveData } from './data/saveData.ts'
import { startLanguage } from './locales/i18n.ts'

/** The server's entry: the body of a page as the app shows it to a visitor, who has not chosen a language yet [S9.06]. */

/** What React writes in place of a lazy part that is not there. */
const NOT_YET = '<!--$!-->'
const TRY_MS = 10
const MOST_TRIES = 20

/**
 * `url`: path and query; `given`: the answers of its questions, which the page carries too; `saveData`: the browser saves data.
 * The comments are those by which React finds the part that the router wraps.
 */
export async function draw(
  url: string,
  given: Parameters<typeof give>[0],
  saveData: boolean,
): Promise<string> {
  const router = makeRouter(createMemoryHistory({ initialEntries: [url] }))
  await Promise.all([startLanguage(), router.load()])
  for (let tries = 0; ; tries++) {
    // From here on nothing waits: no other page can come between.
    give(given)
    renderWithSaveData(saveData)
    const html = renderToString(<App router={router} />)
    // A lazy part that this process draws for the first time is on its way from the disk.
    if (!html.includes(NOT_YET) || tries === MOST_TRIES) return `<!--$-->${html}<!--/$-->`
    await new Promise((resolve) => setTimeout(resolve, TRY_MS))
  }
}
