import type { Live } from './live.ts'
import { forget, keep, mark, onSession, stored } from './session.ts'

/**
 * The last answers of the screens one starts on, read before React renders: the first frame shows them while the worker
 * still opens its database (SYNC.md 2). They belong to an account, a language and an address, and say how old they are.
 */

const KEY = 'first_answers'
const SCREENS = /^\/(?:$|listings$|browse$|messages$|saved$)/
/** Kept small: it is read and parsed before anything shows. */
const ROWS = 12
const BYTES = 120_000

interface Saved {
  readonly mark: string
  readonly address: string
  readonly answers: Readonly<Record<string, Live>>
}

const saved = read()
/** What the server gave with the page of a first visit (server/http/first.ts); the address it was given for. */
const given = readGiven()
const givenFor = here()
let answers: Record<string, Live> = {}
let address = here()
let writing = 0

/** What this question answered when its screen was last seen; only for that very screen. */
export function firstAnswer(key: string): Live | undefined {
  const one = given && givenFor === here() && given.given.find(({ name, has }) => key.startsWith(`{"name":"${name}"`) && key.includes(has))
  if (one) return { rows: one.rows, facts: one.facts, status: 'stale', since: Math.round(performance.timeOrigin) }
  if (!saved || saved.address !== here() || saved.mark !== mark()) return undefined
  const live = saved.answers[key]
  return live && { ...live, status: 'stale' }
}

export function keepAnswer(key: string, live: Live): void {
  if (!SCREENS.test(location.pathname) || live.status === 'loading') return
  if (address !== here()) {
    address = here()
    answers = {}
  }
  answers[key] = { ...live, rows: live.rows.slice(0, ROWS) }
  writing ||= requestIdle(write)
}

/** Signing out and "Vider le cache" forget them. */
export function forgetAnswers(): void {
  answers = {}
  forget(KEY)
}

function write(): void {
  writing = 0
  const text = JSON.stringify({ mark: mark(), address, answers } satisfies Saved)
  if (text.length <= BYTES) keep('local', KEY, text)
}

function here(): string {
  return location.pathname + location.search
}

function requestIdle(work: () => void): number {
  return typeof requestIdleCallback === 'function' ? requestIdleCallback(work, { timeout: 2000 }) : setTimeout(work, 500)
}

interface Given {
  readonly given: readonly (Pick<Live, 'rows' | 'facts'> & { readonly name: string; readonly has: string })[]
}

/** Whether the first screen can stand without the engine: then the engine's files wait for those of the screen. */
export function isGiven(): boolean {
  return given !== null
}

function readGiven(): Given | null {
  try {
    const value: unknown = JSON.parse(document.getElementById('first-answers')?.textContent ?? 'null')
    return isGivenPage(value) ? value : null
  } catch {
    return null
  }
}

/** Written by our own server into this very page. */
function isGivenPage(value: unknown): value is Given {
  return typeof value === 'object' && value !== null && 'given' in value && Array.isArray(value.given)
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
  return typeof value === 'object' && value !== null && 'answers' in value && typeof value.answers === 'object' && 'address' in value && 'mark' in value
}

onSession(forgetAnswers)
