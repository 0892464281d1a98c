import { KEPT_BUILD, KEPT_FOR, SCREENS, SCREENS_OF } from '#schema/port/service'
import { mark, onSession } from './session.ts'

/**
 * The last look of the screens one starts on, kept as HTML for the service worker: it is on the glass before any script
 * has run, and React takes its place with the saved answers (SYNC.md 2). It goes with signing out and "Vider le cache".
 */

const KEPT = /^\/(?:$|listings$|browse$|messages$|saved$)/

/** What says something of this very moment (a network line, a toast) is not true tomorrow: `data-passing` leaves it out. */
export const PASSING = 'data-passing'

/** Keeps the screen as it stands; call it when it shows data and nothing moves. */
export async function keepScreen(): Promise<void> {
  const root = document.getElementById('root')
  if (!root || !KEPT.test(location.pathname) || !('caches' in window)) return
  const whose = mark()
  const address = location.pathname + location.search
  const html = await page(root)
  if (html === null || whose !== mark()) return
  const cache = await caches.open(SCREENS)
  await cache.put(SCREENS_OF, new Response(whose))
  const headers = { 'content-type': 'text/html; charset=utf-8', [KEPT_FOR]: whose, [KEPT_BUILD]: html.build, ...html.policy }
  await cache.put(address, new Response(html.text, { headers }))
}

export async function forgetScreens(): Promise<void> {
  if ('caches' in window) await caches.delete(SCREENS)
}

interface Html {
  readonly text: string
  readonly build: string
  readonly policy: Readonly<Record<string, string>>
}

/** The build's own page with this screen in it, and the sheets of style that its lazy parts brought. */
async function page(root: HTMLElement): Promise<Html | null> {
  const shell = await fetch('/index.html')
  const text = await shell.text()
  const build = /assets\/index-[\w-]+\.js/.exec(text)?.[0]
  const at = text.indexOf('<div id="root">')
  if (!shell.ok || at < 0 || build === undefined) return null
  const sheets = [...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')]
    .filter((sheet) => sheet.href.startsWith(location.origin) && !text.includes(new URL(sheet.href).pathname))
    .map((sheet) => `<link rel="stylesheet" href="${new URL(sheet.href).pathname}">`)
  const start = at + '<div id="root">'.length
  const whole = text.slice(0, start) + still(root) + text.slice(start)
  const policy = shell.headers.get('content-security-policy')
  return {
    text: whole.replace('</head>', `${sheets.join('')}</head>`).replace('<html lang="fr"', `<html lang="${document.documentElement.lang}"`),
    build,
    policy: policy === null ? {} : { 'content-security-policy': policy },
  }
}

function still(root: HTMLElement): string {
  const copy = root.cloneNode(true)
  if (!(copy instanceof HTMLElement)) return ''
  for (const passing of copy.querySelectorAll(`[${PASSING}], dialog, [popover]`)) passing.remove()
  for (const styled of copy.querySelectorAll('[style]')) styled.removeAttribute('style')
  return copy.innerHTML
}

onSession(() => void forgetScreens())
