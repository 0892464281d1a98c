import { useEffect, useRef, useState } from 'react'
import { ask } from '../../data/ask.ts'
import { askToPersist } from '../../data/persist.ts'
import { onSession } from '../../data/session.ts'
import { onLeave } from '../../ui/effects.ts'
import type { EditContext, Form } from './form.ts'

/** After a key, also while typing continues. */
const KEEP_MS = 300
export const AGAIN_MS = 3000

export interface Content {
  readonly form: Form
  readonly photos: readonly string[]
}

/** What did not fit into storage, by draft: the user may leave to free space, and come back. */
const unkept = new Map<string, Content>()
onSession(() => unkept.clear())

export function unkeptDraft(id: string | undefined): Content | null {
  return unkept.get(id ?? '') ?? null
}

/** `owner`: another person may be signed in when it is saved for the last time. */
export function useListingDraft(
  id: string,
  owner: string,
  start: Content,
  edit?: Pick<EditContext, 'listing' | 'start'>,
) {
  const [content, setContent] = useState(() => unkeptDraft(id) ?? start)
  const [kept, setKept] = useState(() => !unkept.has(id))
  const latest = useRef(content)
  /** An unmounted form must not overwrite its successor. */
  const gone = useRef(false)
  const keeping = useRef(Promise.resolve())
  const pending = useRef<{
    readonly timer: ReturnType<typeof setTimeout>
    readonly run: () => Promise<void>
  } | null>(null)

  useEffect(() => {
    const end = onLeave(() => void pending.current?.run())
    gone.current = false
    if (unkept.has(id)) keepIn(KEEP_MS)
    return () => {
      end()
      gone.current = true
    }
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- a mounted form never changes its draft
  }, [])

  async function keep() {
    clearTimeout(pending.current?.timer)
    pending.current = null
    const { form, photos } = latest.current
    const outcome = await ask('draft.keepListing', {
      id,
      owner,
      fields: { ...form, ...(edit && { start: edit.start }) },
      photos: [...photos],
      listing: edit?.listing ?? null,
    })
    const done = outcome.kind === 'done'
    setKept(done)
    if (done) {
      void askToPersist('draft')
      unkept.delete(id)
      return
    }
    unkept.set(id, { form, photos })
    keepIn(AGAIN_MS)
  }

  function keepIn(ms: number) {
    if (gone.current) return
    pending.current ??= { timer: setTimeout(() => run(), ms), run }
  }

  /** In sequence, so that an older copy never comes last. */
  function run() {
    keeping.current = keeping.current.then(keep)
    return keeping.current
  }

  function change(next: (now: Content) => Content) {
    latest.current = next(latest.current)
    setContent(latest.current)
    keepIn(KEEP_MS)
  }

  return { ...content, change, kept, flush: () => (pending.current ? run() : keeping.current) }
}
