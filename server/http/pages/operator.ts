import { brotliCompressSync, gzipSync } from 'node:zlib'
import type { Config } from '../../config.ts'
import { escaped } from './escaped.ts'
import { etagOf, textOf, type WebApp } from './static.ts'

const START = '/index.html'

/** In the start page, where the app reads them. */
export function withOperator(web: WebApp, { name, contact }: Config['operator']): WebApp {
  const start = web.get(START)
  const html = textOf(web, START)
  if (start === undefined || html === undefined || (name === null && contact === null)) return web
  const meta = (of: string, content: string | null) =>
    content === null ? '' : `<meta name="${of}" content="${escaped(content)}">`
  const identity = Buffer.from(
    html.replace(
      '</head>',
      () => `${meta('operator', name)}${meta('operator-contact', contact)}</head>`,
    ),
  )
  const forms = { identity, br: brotliCompressSync(identity), gzip: gzipSync(identity) }
  return new Map(web).set(START, { ...start, etag: etagOf(identity), forms })
}
