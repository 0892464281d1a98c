import { useEffect, useRef, useState } from 'react'
import { ask } from '../../data/ask.ts'
import { askToPersist } from '../../data/persist.ts'
import { onSession } from '../../data/session.ts'
import type { EditWay } from './editing.ts'
import type { Form } from './form.ts'

/** What is typed is safe on the phone this long after a key, also while the person types on. */
const KEEP_MS = 300
/** And what the phone could not keep is tried again after so long. */
export const AGAIN_MS = 3000

export interface Content {
  readonly form: Form
  /** Ids of the photos, the cover first: those that the phone keeps, and in an edit the server's. */
  readonly photos: readonly string[]
}

/** What the phone has no room for, by draft: its writer may look elsewhere for what to free, and come back to it. */
const unkept = new Map<string, Content>()
onSession(() => unkept.clear())

/** null: all that was written of it is on the phone. */
export function unkeptDraft(id: string | undefined): Content | null {
  return unkept.get(id ?? '') ?? null
}

export interface Writing extends Content {
  readonly change: (next: (now: Content) => Content) => void
  /** False: the phone could not keep what is written. */
  readonly kept: boolean
  /** Resolves when all that is written was kept, or could not be. */
  readonly flush: () => Promise<void>
}

/** A listing that is being written: what is on the screen, and its copy on the phone that survives leaving, reloading and kills. */
export function useListingDraft(
  id: string,
  start: Content,
  edit?: Pick<EditWay, 'listing' | 'start'>,
): Writing {
  const [content, setContent] = useState(() => unkeptDraft(id) ?? start)
  const [kept, setKept] = useState(() => !unkept.has(id))
  const latest = useRef(content)
  /** What still runs for a form that left the screen must not write over the one that took its place. */
  const gone = useRef(false)
  const keeping = useRef(Promise.resolve())
  const pending = useRef<{
    readonly timer: ReturnType<typeof setTimeout>
    readonly run: () => Promise<void>
  } | null>(null)

  useEffect(() => {
    const flush = (): void => void pending.current?.run()
    addEventListener('pagehide', flush)
    gone.current = false
    if (unkept.has(id)) keepIn(KEEP_MS)
    return () => {
      removeEventListener('pagehide', flush)
      flush()
      gone.current = true
    }
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once: a form belongs to one draft for as long as it stands
  }, [])

  async function keep(): Promise<void> {
    clearTimeout(pending.current?.timer)
    pending.current = null
    const { form, photos } = latest.current
    const outcome = await ask('draft.keepListing', {
      id,
      fields: { ...form, ...(edit && { start: edit.start }) },
      photos: [...photos],
      listing: edit?.listing ?? null,
    })
    const done = outcome.kind === 'done'
    if (done) void askToPersist('draft')
    if (done) unkept.delete(id)
    else unkept.set(id, { form, photos })
    setKept(done)
    if (!done) keepIn(AGAIN_MS)
  }

  function keepIn(ms: number): void {
    if (gone.current) return
    pending.current ??= { timer: setTimeout(() => run(), ms), run }
  }

  /** One after the other, so that an older copy never comes last. */
  function run(): Promise<void> {
    keeping.current = keeping.current.then(keep)
    return keeping.current
  }

  function change(next: (now: Content) => Content): void {
    latest.current = next(latest.current)
    setContent(latest.current)
    keepIn(KEEP_MS)
  }

  return { ...content, change, kept, flush: () => (pending.current ? run() : keeping.current) }
}
