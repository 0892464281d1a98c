import { useEffect, useState } from 'react'
import type { PhotoProblem } from '#schema/port/photo'
import { ask } from '../../data/ask.ts'
import { keptPhoto, takePhoto } from '../../data/photos.ts'
import { useLiveQuery } from '../../data/read.ts'
import { commandId } from '../../data/send.ts'

/** A photo that goes along with the next message; its id will be the message's. */
export interface Attached {
  readonly id: string
  readonly file: Blob
}

export interface Attachment {
  readonly photo: Attached | null
  /** One is being prepared: what is written waits for it. */
  readonly busy: boolean
  /** The file that was not taken in, and why. */
  readonly refused: { readonly name: string; readonly why: PhotoProblem | 'not_kept' } | null
  readonly take: (file: File) => Promise<void>
  readonly remove: () => void
  /** The message that takes it along is queued. */
  readonly used: () => void
}

/**
 * The photo beside the text that is kept under `draftKey`: like the text it survives leaving, reloading and kills. Its id is
 * kept as a text of its own, which goes in the transaction that queues the message.
 */
export function useAttachment(draftKey: string): Attachment {
  const key = draftKey.replace(':', 'photo:')
  const kept = useLiveQuery('draft.text', { key }).facts?.content ?? ''
  /** What the phone holds of before. */
  const [found, setFound] = useState<Attached | null>(null)
  /** What was chosen here since; undefined: nothing. */
  const [chosen, setChosen] = useState<Attached | null>()
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<Attachment['refused']>(null)

  useEffect(() => {
    if (kept === '') return undefined
    let wanted = true
    void keptPhoto(kept).then((file) => wanted && file && setFound({ id: kept, file }))
    return () => {
      wanted = false
    }
  }, [kept])

  async function take(file: File): Promise<void> {
    setRefused(null)
    setBusy(true)
    const taken = await takePhoto(file)
    const why = taken.kind === 'refused' ? taken.problem : await keep(taken)
    setBusy(false)
    if (why !== null) setRefused({ name: file.name, why })
  }

  /** Named before it is kept: a kill between the two leaves no photo that nobody knows of. */
  async function keep({
    photo: file,
    width,
    height,
  }: {
    readonly photo: Blob
    readonly width: number
    readonly height: number
  }): Promise<'not_kept' | null> {
    const id = commandId()
    const named = await ask('draft.keep', { key, content: id })
    const outcome =
      named.kind === 'done'
        ? await ask('draft.keepPhoto', { id, draft: id, file, bytes: file.size, width, height })
        : named
    if (outcome.kind !== 'done') {
      void ask('draft.keep', { key, content: photo?.id ?? '' })
      return 'not_kept'
    }
    if (photo) void ask('draft.removePhoto', { id: photo.id })
    setChosen({ id, file })
    return null
  }

  function remove(): void {
    setChosen(null)
    void ask('draft.keep', { key, content: '' })
    if (photo) void ask('draft.removePhoto', { id: photo.id })
  }

  const photo = chosen === undefined ? (found?.id === kept ? found : null) : chosen
  return { photo, busy, refused, take, remove, used: () => setChosen(null) }
}
