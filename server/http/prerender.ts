import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import type { Logger } from 'pino'
import * as v from 'valibot'

/** A page's body as the app would show it to a visitor, made by the app's own screens; `at`: the minute of its ages, ms. */
export interface PrerenderedPage {
  readonly html: string
  readonly at: number
}

/** `given`: the answers that its questions get; `saveData`: without photos, for a browser that saves data. null: it failed, and the app draws for itself. */
export type Prerender = (
  url: string,
  given: readonly object[],
  saveData: boolean,
) => Promise<PrerenderedPage | null>

const MINUTE_MS = 60_000
/** Many people open the same pages: what was drawn from the same answers is not drawn again so soon. Its ages are a few minutes old then; the app, which knows of which minute they are (`at`), sets them right. */
const KEPT_MS = 5 * MINUTE_MS
const KEPT = 64

const built = v.object({
  draw: v.pipe(
    v.function(),
    v.args(v.tuple([v.string(), v.array(v.unknown()), v.boolean()])),
    v.returnsAsync(v.string()),
  ),
})

/** Opens what the build made of `src/draw.tsx`; null where the app was not built. */
export async function openPrerenderer(file: string, log: Logger): Promise<Prerender | null> {
  if (!existsSync(file)) return null
  const module: unknown = await import(pathToFileURL(file).href)
  const { draw } = v.parse(built, module)
  const kept = new Map<
    string,
    { readonly at: number; readonly drawing: Promise<PrerenderedPage | null> }
  >()
  return (url, given, saveData) => {
    const at = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS
    const name = createHash('sha1')
      .update(JSON.stringify([url, saveData, given]))
      .digest('base64')
    const known = kept.get(name)
    if (known && at - known.at < KEPT_MS) return known.drawing
    const drawing = draw(url, [...given], saveData).then(
      (html) => ({ html, at }),
      (error: unknown) => {
        log.error({ err: error, path: url.replace(/\?.*/, '') }, 'drawing failed')
        return null
      },
    )
    kept.delete(name)
    kept.set(name, { at, drawing })
    for (const oldest of kept.keys()) if (kept.size > KEPT) kept.delete(oldest)
    return drawing
  }
}
