import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import type { Logger } from 'pino'
import * as v from 'valibot'

/**
 * A page's body as the app renders it for a visitor. `at`: the minute its ages are relative to, in
 * ms.
 */
export interface PrerenderedPage {
  readonly html: string
  readonly at: number
}

/**
 * `given`: the responses its queries get; `saveData`: renders no photos. null: rendering failed,
 * and the app renders in the browser.
 */
export type Prerender = (
  url: string,
  given: readonly object[],
  saveData: boolean,
) => Promise<PrerenderedPage | null>

const MINUTE_MS = 60_000
/**
 * Pages rendered from the same responses are cached. Their ages may be minutes old; the app
 * corrects them by `at`.
 */
const KEPT_MS = 5 * MINUTE_MS
const KEPT = 64

const built = v.object({
  prerender: v.pipe(
    v.function(),
    v.args(v.tuple([v.string(), v.array(v.unknown()), v.boolean()])),
    v.returnsAsync(v.string()),
  ),
})

/** null when the app was not built. */
export async function openPrerenderer(file: string, log: Logger): Promise<Prerender | null> {
  if (!existsSync(file)) return null
  const module: unknown = await import(pathToFileURL(file).href)
  const { prerender } = v.parse(built, module)
  const cached = new Map<
    string,
    { readonly at: number; readonly rendering: Promise<PrerenderedPage | null> }
  >()
  return (url, given, saveData) => {
    const at = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS
    const name = createHash('sha1')
      .update(JSON.stringify([url, saveData, given]))
      .digest('base64')
    const known = cached.get(name)
    if (known && at - known.at < KEPT_MS) return known.rendering
    const rendering = prerender(url, [...given], saveData).then(
      (html) => ({ html, at }),
      (error: unknown) => {
        log.error({ err: error, path: url.replace(/\?.*/, '') }, 'prerender failed')
        return null
      },
    )
    cached.delete(name)
    cached.set(name, { at, rendering })
    for (const oldest of cached.keys()) if (cached.size > KEPT) cached.delete(oldest)
    return rendering
  }
}
