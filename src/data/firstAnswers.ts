import { prerendered } from './prerendered.ts'
import { type Live, loading } from './live.ts'
import { forget, keep, mark, onSession, stored } from './session.ts'

/**
 * The last answers of the screens one starts on, read before React renders: the first frame shows them while the worker
 * still opens its database [SYNC 2]. They belong to an account, a language and an address, and say how old they are.
 */

const KEY = 'first_answers'
/** The screens one starts on. */
export const STARTS = /^\/(?:$|listings$|browse$|messages$|saved$)/
/** Rows of an answer that are kept: a first screen and a little more. It is read and parsed before anything shows. */
export const KEPT_ROWS = 6
const BYTES = 120_000
/** What says something of this very moment is not true tomorrow. */
const PASSING = /^\{"name":"(?:network\.state|outbox\.entries)"/

interface Saved {
  readonly mark: string
  readonly address: string
  readonly answers: Readonly<Record<string, Live>>
}

/** An answer of the server's: the question's name, and a text that its parameters hold. */
interface Given extends Pick<Live, 'rows' | 'facts'> {
  readonly name: string
  readonly has: string
}

const saved = read()
/** What the server gave with the page of a first visit (server/http/firstAnswers.ts); the address it was given for. */
let given: readonly Given[] | null = readGiven()
const givenFor = here()
let answers: Record<string, Live> = {}
let address = here()

/**
 * `first`: what this question answered when its screen was last seen, or with the page; only for that very screen.
 * `given`: by the server, with the page.
 * `shown`: what it answered where the HTML of the page was drawn. Where both are the same answer they are the same object:
 * React draws nothing twice.
 */
export function firstAnswers(key: string): {
  readonly first: Live | undefined
  readonly shown: Live
  readonly given: boolean
} {
  const one = givenAnswer(key)
  const first = one ?? savedAnswer(key)
  // A screen that is kept before the engine has answered was drawn from this.
  if (first && !import.meta.env.SSR) keepAnswer(key, first)
  return {
    first,
    shown: (prerendered?.by === 'phone' ? first : one) ?? loading,
    given: one !== undefined,
  }
}

function savedAnswer(key: string): Live | undefined {
  if (!saved || saved.address !== here() || saved.mark !== mark()) return undefined
  const live = saved.answers[withoutLimit(key)]
  return live && { ...live, status: 'stale' }
}

/** For the server: what the next page is drawn from. */
export function give(answer: readonly Given[]): void {
  given = answer
}

export function keepAnswer(key: string, live: Live): void {
  if (!STARTS.test(location.pathname) || live.status === 'loading' || PASSING.test(key)) return
  if (address !== here()) {
    address = here()
    answers = {}
  }
  answers[withoutLimit(key)] = { ...live, rows: live.rows.slice(0, KEPT_ROWS) }
}

/** Keeps what the screen shows now, for its next start; goes with the screen's HTML (screen.ts). */
export function keepAnswers(): void {
  const text = JSON.stringify({ mark: mark(), address, answers } satisfies Saved)
  if (address === here() && text.length <= BYTES) keep('local', KEY, text)
}

/** Signing out and "Vider le cache" forget them. */
export function forgetAnswers(): void {
  answers = {}
  forget(KEY)
}

/** A list starts with its first rows, however far it was shown the last time. */
export function withoutLimit(key: string): string {
  return key.replace(/"limit":\d+/, '')
}

function givenAnswer(key: string): Live | undefined {
  const one =
    givenFor === here()
      ? given?.find(({ name, has }) => key.startsWith(`{"name":"${name}"`) && key.includes(has))
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

/** Whether the first screen can stand without the engine: then the engine waits until the screen answers a tap. */
export function isGiven(): boolean {
  return given !== null || prerendered?.by === 'phone'
}

function readGiven(): readonly Given[] | null {
  if (import.meta.env.SSR) return null
  try {
    const value: unknown = JSON.parse(
      document.getElementById('first-answers')?.textContent ?? 'null',
    )
    return isGivenPage(value) ? value.given : null
  } catch {
    return null
  }
}

/** Written by our own server into this very page. */
function isGivenPage(value: unknown): value is { readonly given: readonly Given[] } {
  return (
    typeof value === 'object' && value !== null && 'given' in value && Array.isArray(value.given)
  )
}

/** Written by this file alone; anything else under the key is dropped. */
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
