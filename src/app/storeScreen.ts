import { classesIn } from '#schema/markup'
import { CACHED_BUILD, CACHED_FOR, SCREENS, SCREENS_OF } from '#schema/port/service'
import { answersOf, DEFERRED_REL, RENDER_BLOCKING_LINK, rootWith } from '#schema/viewport'
import type { Embedded, FirstAnswer } from '../data/firstRender.ts'
import { latestAnswer } from '../data/read.ts'
import { savesData } from '../data/saveData.ts'
import { mark } from '../data/session.ts'
import { minute } from '../parts/now.ts'
import { render } from './render.tsx'

/** From the latest answers; the service worker serves it at the next start. */
export async function storeScreen(address: string, title: string) {
  const answers: Record<string, FirstAnswer> = {}
  const from = { by: 'phone', at: minute(), saveData: savesData(), mark: mark(), answers } as const
  const screen = await render(address, {
    ...from,
    answer(key) {
      const one = answers[key] ?? latestAnswer(key)
      if (one) answers[key] = one
      return one
    },
  })
  // A list that is still loading must not replace one that was stored.
  if (!Object.values(answers).some(({ rows }) => rows.length > 0)) return
  const page = await inShell(screen, title, from)
  if (!page) return
  const cache = await caches.open(SCREENS)
  const headers = { [CACHED_FOR]: from.mark }
  await cache.put(SCREENS_OF, new Response(null, { headers }))
  page.headers.set(CACHED_FOR, from.mark)
  await cache.put(address, page)
  // Another user has signed in meanwhile.
  if (from.mark !== mark()) await caches.delete(SCREENS)
}

async function inShell(screen: string, title: string, from: Embedded): Promise<Response | null> {
  const shell = await fetch('/index.html')
  const text = await shell.text()
  const build = /assets\/index-[\w-]+\.js/.exec(text)?.[0]
  if (!shell.ok || build === undefined) return null
  const shown = document.createElement('title')
  shown.textContent = title
  const { lang, dataset } = document.documentElement
  const theme = dataset['theme'] === undefined ? '' : ` data-theme="${dataset['theme']}"`
  const { styles, hashes } = await stylesOf(screen)
  const page = text
    .replaceAll(/rel="(?:module)?preload"/g, `rel="${DEFERRED_REL}"`)
    .replaceAll(/<link rel="stylesheet"[^>]*>/g, '')
    .replace('<html lang="fr"', () => `<html lang="${lang}"${theme}`)
    .replace(/<title>.*?<\/title>/, () => shown.outerHTML)
    .replace('</head>', () => `${styles}${RENDER_BLOCKING_LINK}</head>`)
    .replace('<div id="root"></div>', () => rootWith(screen, 'phone') + answersOf(from))
  return new Response(page, { headers: headersOf(shell, build, hashes) })
}

/** With another opener policy (COOP) a reload would lose `history.state`. */
function headersOf(shell: Response, build: string, hashes: readonly string[]): Headers {
  const headers = new Headers(shell.headers)
  for (const name of ['content-length', 'content-encoding', 'etag', 'vary']) headers.delete(name)
  const name = 'content-security-policy'
  const policy = headers.get(name) ?? ''
  if (policy !== '')
    headers.set(name, policy.replace("style-src 'self'", ['$&', ...hashes].join(' ')))
  headers.set(CACHED_BUILD, build)
  return headers
}

/**
 * The sheets that the screen uses, inline: nothing delays the first frame. Before the app loads a
 * sheet, it looks for its disabled link.
 */
async function stylesOf(screen: string) {
  const classes = classesIn(screen)
  const hashes: string[] = []
  let styles = ''
  for (const sheet of document.querySelectorAll('link[rel=stylesheet][href^="/assets/"]')) {
    const href = sheet.getAttribute('href') ?? ''
    const answer = await fetch(href)
    const style = answer.ok ? await answer.text() : ''
    if (![...style.matchAll(/(?:^|[,{}])\.([\w-]+)/g)].some(([, name = '']) => classes.has(name)))
      continue
    const bytes = new TextEncoder().encode(style)
    const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
    hashes.push(`'sha256-${btoa(String.fromCharCode(...hash))}'`)
    styles += `<style>${style}</style><link rel="stylesheet" disabled crossorigin href="${href}">`
  }
  return { styles, hashes }
}
