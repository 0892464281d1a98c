import { viewportEndAfter, RENDER_BLOCKING_LINK, DEFERRED_REL } from '#schema/viewport'
import { classesIn } from '#schema/markup'
import { CACHED_BUILD, CACHED_FOR, SCREENS, SCREENS_OF } from '#schema/port/service'
import { KEPT_ROWS, keepAnswers, STARTS } from './firstAnswers.ts'
import { mark } from './session.ts'

/** HTML of the start screens, which the service worker serves before any script runs [SYNC 2]. */

/**
 * Call it when data is shown and nothing animates. `at`: the time its ages were computed from, ms.
 */
export async function cacheScreen(at: number): Promise<void> {
  const root = document.getElementById('root')
  if (!root || !STARTS.test(location.pathname) || !('caches' in window)) return
  const whose = mark()
  const address = location.pathname + location.search
  const html = await page(root, at)
  if (html === null || whose !== mark()) return
  const cache = await caches.open(SCREENS)
  await cache.put(SCREENS_OF, new Response(null, { headers: { [CACHED_FOR]: whose } }))
  html.headers.set(CACHED_FOR, whose)
  html.headers.set(CACHED_BUILD, html.build)
  await cache.put(address, new Response(html.text, { headers: html.headers }))
}

interface Html {
  readonly text: string
  readonly build: string
  readonly headers: Headers
}

async function page(root: HTMLElement, at: number): Promise<Html | null> {
  // HTML and answers must be of the same moment, or hydration fails.
  const screen = still(root)
  if (screen === null) return null
  const title = document.createElement('title')
  title.textContent = document.title
  keepAnswers()
  const shell = await fetch('/index.html')
  // Applied to the shell alone: the user's own text must not change.
  const text = (await shell.text()).replaceAll(/rel="(?:module)?preload"/g, `rel="${DEFERRED_REL}"`)
  const build = /assets\/index-[\w-]+\.js/.exec(text)?.[0]
  if (!shell.ok || build === undefined) return null
  const sheets = [...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')]
    .filter(
      (sheet) =>
        sheet.href.startsWith(location.origin) && !text.includes(new URL(sheet.href).pathname),
    )
    .map((sheet) => `<link rel="stylesheet" href="${new URL(sheet.href).pathname}">`)
  const whole = text.replace(
    '<div id="root"></div>',
    () =>
      `<div id="root" data-drawn="phone" data-at="${at}">${screen}</div>${viewportEndAfter(screen)}`,
  )
  const {
    lang,
    dataset: { theme: look },
  } = document.documentElement
  const { html, hashes } = await withStyles(
    whole
      .replace(/<title>.*?<\/title>/, () => title.outerHTML)
      .replace('</head>', () => `${sheets.join('')}${RENDER_BLOCKING_LINK}</head>`)
      .replace(
        '<html lang="fr"',
        () => `<html lang="${lang}"${look === undefined ? '' : ` data-theme="${look}"`}`,
      ),
  )
  return { text: html, build, headers: headersOf(shell, hashes) }
}

/** Another opener policy (COOP) would make a reload switch processes and lose `history.state`. */
function headersOf(shell: Response, hashes: readonly string[]): Headers {
  const headers = new Headers(shell.headers)
  for (const name of ['content-length', 'content-encoding', 'etag', 'vary']) headers.delete(name)
  const policy = headers.get('content-security-policy')
  if (policy !== null)
    headers.set(
      'content-security-policy',
      policy.replace("style-src 'self'", ["style-src 'self'", ...hashes].join(' ')),
    )
  return headers
}

/** Inlines the stylesheets that the page uses, so that nothing delays the first frame. */
async function withStyles(
  page: string,
): Promise<{ readonly html: string; readonly hashes: readonly string[] }> {
  const hashes: string[] = []
  const classes = classesIn(page)
  let html = page
  for (const [link, rest = '', path = ''] of page.matchAll(
    /<link rel="stylesheet"([^>]*) href="([^"]+)">/g,
  )) {
    const answer = await fetch(path)
    if (!answer.ok) continue
    const style = await answer.text()
    if (![...style.matchAll(/(?:^|[,{}])\.([\w-]+)/g)].some(([, name = '']) => classes.has(name))) {
      html = html.replace(link, '')
      continue
    }
    const hash = new Uint8Array(
      await crypto.subtle.digest('SHA-256', new TextEncoder().encode(style)),
    )
    hashes.push(`'sha256-${btoa(String.fromCharCode(...hash))}'`)
    html = html.replace(
      link,
      () => `<style>${style}</style><link rel="stylesheet" disabled${rest} href="${path}">`,
    )
  }
  return { html, hashes }
}

/**
 * The HTML of React's first render, rebuilt from the live DOM. null: the DOM differs from a first
 * render.
 */
function still(root: HTMLElement): string | null {
  const copy = root.cloneNode(true)
  if (!(copy instanceof HTMLElement)) return null
  for (const place of copy.querySelectorAll('[data-passing=within]')) place.replaceChildren()
  for (const passing of copy.querySelectorAll('[data-passing=""], dialog')) passing.remove()
  for (const busy of copy.querySelectorAll('[data-busy]')) busy.removeAttribute('data-busy')
  for (const settled of copy.querySelectorAll('[data-settled]'))
    settled.removeAttribute('data-settled')
  for (const styled of copy.querySelectorAll('[style]')) styled.removeAttribute('style')
  for (const box of copy.querySelectorAll('input:not([type=checkbox], [type=radio])'))
    box.removeAttribute('value')
  for (const list of copy.querySelectorAll('[data-rows]'))
    for (const row of [...list.querySelectorAll('article, [data-row]')].slice(KEPT_ROWS))
      row.remove()
  if (copy.querySelector('[data-rows] :is(article:empty, [data-end])')) return null
  for (const part of copy.querySelectorAll('[data-part]:empty')) part.remove()
  for (const comment of all(copy, NodeFilter.SHOW_COMMENT)) comment.parentNode?.removeChild(comment)
  for (const later of copy.querySelectorAll('[data-later=""]')) {
    later.before(new Comment('$'))
    later.after(new Comment('/$'))
  }
  for (const place of copy.querySelectorAll('[data-later=within]')) {
    place.prepend(new Comment('$'))
    place.append(new Comment('/$'))
  }
  for (const text of all(copy, NodeFilter.SHOW_TEXT))
    if (text.nextSibling instanceof Text)
      text.parentNode?.insertBefore(new Comment(' '), text.nextSibling)
  return `<!--$-->${copy.innerHTML}<!--/$-->`
}

function all(root: Node, what: number): Node[] {
  const walker = document.createTreeWalker(root, what)
  const found: Node[] = []
  while (walker.nextNode()) found.push(walker.currentNode)
  return found
}
