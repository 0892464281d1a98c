import { createMemoryHistory } from '@tanstack/react-router'
import { Fragment } from 'react'
import { prerender } from 'react-dom/static'
import { FirstRenderOf, type FirstRender } from '../data/firstRender.ts'
import { App, makeRouter } from './router.tsx'

/**
 * The HTML of a screen, for React to hydrate. `Around`: what the browser's router adds around the
 * screen, and the server's does not.
 */
export async function render(url: string, from: FirstRender, Around: typeof Fragment = Fragment) {
  const router = makeRouter(createMemoryHistory({ initialEntries: [url] }))
  await router.load()
  const { prelude } = await prerender(
    <FirstRenderOf value={from}>
      <Around>
        <App router={router} />
      </Around>
    </FirstRenderOf>,
    // Else React moves larger parts behind the page, with scripts that put them in place.
    { progressiveChunkSize: Number.POSITIVE_INFINITY },
  )
  return new Response(prelude).text()
}
