import { useState } from 'react'
import type { PhotoProblem } from '#schema/port/photo'
import { ask } from '../../data/ask.ts'
import { takePhoto } from '../../data/photos.ts'
import { useLiveQuery } from '../../data/read.ts'
import { commandId } from '../../data/send.ts'
import { useStoredPhoto } from '../../parts/StoredPhoto.tsx'

export interface Attached {
  readonly id: string
  readonly file: Blob
}

export type Attachment = ReturnType<typeof useAttachment>

/**
 * The photo of the draft `draftKey`. Its id is a draft of its own, consumed with the message's
 * command.
 */
export function useAttachment(draftKey: string) {
  const key = draftKey.replace(':', 'photo:')
  const kept = useLiveQuery('draft.text', { key }).facts?.content ?? ''
  const found = useStoredPhoto(kept === '' ? null : kept)
  const [chosen, setChosen] = useState<Attached | null>()
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<{
    readonly name: string
    readonly why: PhotoProblem | 'not_kept'
  } | null>(null)

  async function take(file: File): Promise<void> {
    setRefused(null)
    setBusy(true)
    const taken = await takePhoto(file)
    const why = taken.kind === 'refused' ? taken.problem : await keep(taken)
    setBusy(false)
    if (why !== null) setRefused({ name: file.name, why })
  }

  /** Stores the id before the file: a kill in between leaves no orphaned photo. */
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

  const photo = chosen === undefined ? found && { id: kept, file: found } : chosen
  return { photo, busy, refused, take, remove, used: () => setChosen(null) }
}
