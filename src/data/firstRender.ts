import { createContext, useContext } from 'react'
import type { Live } from './live.ts'

/** An answer in the first HTML; `since` is missing in the server's. */
export type FirstAnswer = Pick<Live, 'rows' | 'facts'> & Partial<Pick<Live, 'since'>>

/** What the first HTML was rendered from; React's first render uses the same. */
type Rendered = Readonly<{
  /** The server renders for any visitor, the phone for its user. */
  by: 'server' | 'phone'
  /** A full minute, ms: its ages are relative to it. */
  at: number
  saveData: boolean
  /** The phone's user (`mark` in session.ts). */
  mark?: string
}>

/** By `firstKey` (schema/questionKey.ts). */
export interface FirstRender extends Rendered {
  answer(key: string): FirstAnswer | undefined
}

/** In the page's element `first-answers`. */
export interface Embedded extends Rendered {
  readonly answers: Record<string, FirstAnswer>
}

/** null: this page came without HTML of the app. */
export const firstRender: FirstRender | null = import.meta.env.SSR ? null : read()

export const FirstRenderOf = createContext(firstRender)

export function useFirstRender() {
  return useContext(FirstRenderOf)
}

/** In the first render: `visitor` if the server renders. */
export function useFirstValue<T>(device: () => T, visitor: T): () => T {
  const first = useFirstRender()
  return () => (first?.by === 'server' ? visitor : device())
}

/** Each answer is given once: later ones come from the engine. */
function read(): FirstRender | null {
  const text = document.getElementById('first-answers')?.textContent
  const value: unknown = JSON.parse(text ?? 'null')
  if (!isEmbedded(value)) return null
  const { answers, ...rendered } = value
  return {
    ...rendered,
    answer(key) {
      const one = answers[key]
      delete answers[key]
      return one
    },
  }
}

function isEmbedded(value: unknown): value is Embedded {
  return typeof value === 'object' && value !== null && 'answers' in value
}
