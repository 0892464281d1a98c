import { hash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import type { Logger } from 'pino'
import * as v from 'valibot'
import { AnswerCache } from '../../answer-cache.ts'
import type { FirstAnswers } from './firstAnswers.ts'

interface Given {
  readonly answers: FirstAnswers
  /** Renders no photos. */
  readonly saveData: boolean
}

/** `at`: the minute that ages are relative to, ms. */
interface From extends Given {
  readonly by: 'server'
  readonly at: number
}

/** A page's body as the app renders it for a visitor. */
export interface Prerendered {
  readonly html: string
  readonly from: From
}

/** null: the app renders in the browser. */
export type Prerender = (url: string, given: Given) => Promise<Prerendered | null>

const MINUTE_MS = 60_000
/** The same answers are rendered once; the app corrects ages by `at`. */
const KEPT_MS = 5 * MINUTE_MS
const KEPT = 64

const built = v.object({
  prerender: v.pipe(
    v.function(),
    v.args(v.tuple([v.string(), v.unknown()])),
    v.returnsAsync(v.string()),
  ),
})

/** null when the app was not built. */
export async function openPrerenderer(file: string, log: Logger): Promise<Prerender | null> {
  if (!existsSync(file)) return null
  const module: unknown = await import(pathToFileURL(file).href)
  const { prerender } = v.parse(built, module)
  const cache = new AnswerCache<object, Promise<Prerendered | null>>(KEPT_MS, KEPT)
  return (url, given) => {
    const at = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS
    const name = hash('sha1', JSON.stringify([url, given]), 'base64')
    const from = { by: 'server', at, ...given } as const
    return cache.shared(cache, name, new Date(at), () =>
      prerender(url, from).then(
        (html) => ({ html, from }),
        (error: unknown) => {
          log.error({ err: error, path: url.replace(/\?.*/, '') }, 'prerender failed')
          return null
        },
      ),
    )
  }
}
