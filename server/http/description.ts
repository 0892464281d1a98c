import { createHash } from 'node:crypto'
import { APP_NAME } from '#schema/app'
import { description } from '#schema/wire/schema'
import type { Call } from '#schema/wire/call'
import { readRoute, type Route } from './handle.ts'
import { describe } from './openapi.ts'
import { view } from './values.ts'

/** `GET schema/` for these routes and itself. */
export function descriptionRoute(routes: readonly Route[]): Route {
  let made: Record<string, unknown> | null = null
  const route: Route = readRoute(description, async () => (made ??= { ...describe([...routes, route]) }))
  return route
}

const STYLE = `:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}body{max-width:60rem;margin:0 auto;padding:1rem}
table{border-collapse:collapse;width:100%}th,td{text-align:start;padding:.25rem .5rem;border-block-end:1px solid #8884;vertical-align:top}
code{font-size:.9em}section{margin-block:2rem}`

/** The same as a page that people read: every call with its parameters and body, without a script. */
export function descriptionPage(routes: readonly Route[]): Response {
  const groups = Map.groupBy(routes, ({ call }) => call.name.split('.')[0] ?? '')
  const body = [...groups].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, list]) => `<section><h2>${name}</h2>${list.map(({ call }) => callHtml(call)).join('')}</section>`)
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${APP_NAME} API</title><style>${STYLE}</style>
<h1>${APP_NAME} API</h1><p>The same for programs: <a href="/api/schema/">OpenAPI 3.1</a>. Sign in with <code>POST /api/auth/login/</code> and send <code>Authorization: Token …</code>. Writes take an <code>Idempotency-Key</code>.</p>${body.join('')}</html>`
  return new Response(html, {
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; frame-ancestors 'none'`,
      'Cache-Control': 'public, max-age=3600',
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
    },
  })
}

function callHtml(call: Call): string {
  const rows = [
    ...(call.query === null ? [] : fields('query', view(call.query).entries)),
    ...(call.body === null ? [] : fields('body', view(call.body).entries)),
    ...Object.entries(call.files).map(([name, max]) => row('file', name, `at most ${max}`)),
  ]
  const who = call.access === 'signed-in' ? 'signed in' : 'everybody'
  const table = rows.length === 0 ? '' : `<table>${rows.join('')}</table>`
  return `<h3 id="${call.name}"><code>${call.method} /api/${call.path}</code></h3><p>${who}; answers ${call.status}</p>${table}`
}

const fields = (where: string, entries: Readonly<Record<string, Parameters<typeof view>[0]>>): string[] =>
  Object.entries(entries).map(([name, schema]) => {
    const shape = view(schema)
    return row(where, name, `${shape.wrapped === null ? shape.type : view(shape.wrapped).type}${shape.optional ? ', optional' : ''}`)
  })

const row = (where: string, name: string, what: string) => `<tr><td>${where}<td><code>${name}</code><td>${what}`
