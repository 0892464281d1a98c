import { prerendered } from './prerendered.ts'
import { type Live, loading } from './live.ts'
import { forget, keep, mark, onSession, stored } from './session.ts'

/**
 * The last answers of the start screens, shown at once: the database opens too late for that
 * [SYNC 2].
 */

const KEY = 'first_answers'
export const STARTS = /^\/(?:$|listings$|browse$|messages$|saved$)/
/** They are read and parsed before anything shows: about one screen. */
export const KEPT_ROWS = 6
const BYTES = 120_000
/** Momentary state, which would be wrong at the next start. */
const PASSING = /^\{"name":"(?:network\.state|outbox\.entries)"/

interface Saved {
  readonly mark: string
  readonly address: string
  readonly answers: Readonly<Record<string, Live>>
}

interface EmbeddedAnswer extends Pick<Live, 'rows' | 'facts'> {
  readonly name: string
  readonly has: string
}

const saved = read()
/** What the server embedded in the page of a first visit (server/http/pages/firstAnswers.ts). */
let embedded: readonly EmbeddedAnswer[] | null = readEmbedded()
const embeddedFor = here()
let answers: Record<string, Live> = {}
let address = here()

/**
 * `first`: the saved or embedded answer; `embedded`: it came with the page from the server;
 * `shown`: the one in the HTML.
 */
export function firstAnswers(key: string): {
  readonly first: Live | undefined
  readonly shown: Live
  readonly embedded: boolean
} {
  const one = embeddedAnswer(key)
  const first = one ?? savedAnswer(key)
  // The screen may be saved before the engine has answered; it was rendered from this answer.
  if (first && !import.meta.env.SSR) keepAnswer(key, first)
  return {
    first,
    shown: (prerendered?.by === 'phone' ? first : one) ?? loading,
    embedded: one !== undefined,
  }
}

function savedAnswer(key: string): Live | undefined {
  if (!saved || saved.address !== here() || saved.mark !== mark()) return undefined
  const live = saved.answers[withoutLimit(key)]
  return live && { ...live, status: 'stale' }
}

export function setEmbedded(answers: readonly EmbeddedAnswer[]): void {
  embedded = answers
}

export function keepAnswer(key: string, live: Live): void {
  if (!STARTS.test(location.pathname) || live.status === 'loading' || PASSING.test(key)) return
  if (address !== here()) {
    address = here()
    answers = {}
  }
  answers[withoutLimit(key)] = { ...live, rows: live.rows.slice(0, KEPT_ROWS) }
}

/** Saved together with the screen's HTML (screen.ts). */
export function keepAnswers(): void {
  const text = JSON.stringify({ mark: mark(), address, answers } satisfies Saved)
  if (address === here() && text.length <= BYTES) keep('local', KEY, text)
}

export function forgetAnswers(): void {
  answers = {}
  forget(KEY)
}

/** A list starts with its first rows, however far it had grown. */
export function withoutLimit(key: string): string {
  return key.replace(/"limit":\d+/, '')
}

function embeddedAnswer(key: string): Live | undefined {
  const one =
    embeddedFor === here()
      ? embedded?.find(({ name, has }) => key.startsWith(`{"name":"${name}"`) && key.includes(has))
      : undefined
  return (
    one && {
      rows: one.rows,
      facts: one.facts,
      status: 'stale',
      since: Math.round(performance.timeOrigin),
    }
  )
}

function here(): string {
  return import.meta.env.SSR ? '' : location.pathname + location.search
}

export function hasFirstAnswers(): boolean {
  return embedded !== null || prerendered?.by === 'phone'
}

function readEmbedded(): readonly EmbeddedAnswer[] | null {
  if (import.meta.env.SSR) return null
  try {
    const value: unknown = JSON.parse(
      document.getElementById('first-answers')?.textContent ?? 'null',
    )
    return isEmbeddedPage(value) ? value.given : null
  } catch {
    return null
  }
}

function isEmbeddedPage(value: unknown): value is { readonly given: readonly EmbeddedAnswer[] } {
  return (
    typeof value === 'object' && value !== null && 'given' in value && Array.isArray(value.given)
  )
}

/** Only this file writes this key; any other value is dropped. */
function read(): Saved | null {
  try {
    const value: unknown = JSON.parse(stored(KEY) ?? 'null')
    return isSaved(value) ? value : null
  } catch {
    return null
  }
}

function isSaved(value: unknown): value is Saved {
  return (
    typeof value === 'object' &&
    value !== null &&
    'answers' in value &&
    typeof value.answers === 'object' &&
    'address' in value &&
    'mark' in value
  )
}

onSession(forgetAnswers)
