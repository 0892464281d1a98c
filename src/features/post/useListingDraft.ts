import { useEffect, useRef, useState } from 'react'
import { ask } from '../../data/ask.ts'
import type { Form } from './form.ts'

/** What is typed is safe on the phone this long after a key, also while the person types on. */
const KEEP_MS = 300

export interface Content {
  readonly form: Form
  /** Ids of the photos that the phone keeps, the cover first. */
  readonly photos: readonly string[]
}

export interface Writing extends Content {
  readonly change: (next: (now: Content) => Content) => void
  /** False: the phone could not keep what is written. */
  readonly kept: boolean
  /** Resolves when all that is written was kept, or could not be. */
  readonly flush: () => Promise<void>
}

/** A listing that is being written: what is on the screen, and its copy on the phone that survives leaving, reloading and kills. */
export function useListingDraft(id: string, start: Content): Writing {
  const [content, setContent] = useState(start)
  const [kept, setKept] = useState(true)
  const latest = useRef(start)
  const pending = useRef<{ readonly timer: ReturnType<typeof setTimeout>; readonly run: () => Promise<void> } | null>(null)

  useEffect(() => {
    const flush = (): void => void pending.current?.run()
    addEventListener('pagehide', flush)
    return () => {
      removeEventListener('pagehide', flush)
      flush()
    }
  }, [])

  async function keep(): Promise<void> {
    clearTimeout(pending.current?.timer)
    pending.current = null
    const { form, photos } = latest.current
    const outcome = await ask('draft.keepListing', { id, fields: { ...form }, photos: [...photos], listing: null })
    setKept(outcome.kind === 'done')
  }

  function change(next: (now: Content) => Content): void {
    latest.current = next(latest.current)
    setContent(latest.current)
    pending.current ??= { timer: setTimeout(() => void keep(), KEEP_MS), run: keep }
  }

  return { ...content, change, kept, flush: async () => pending.current?.run() }
}
