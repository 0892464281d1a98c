import { useEffect, useRef, useState } from 'react'
import { MESSAGE_PHOTOS_MAX } from '#schema/limits'
import type { PhotoProblem, ProcessedPhoto } from '#schema/port/photo'
import { ask, commandId } from '../../data/ask.ts'
import { storedPhoto, takePhoto } from '../../data/photos.ts'
import { useLiveQuery } from '../../data/read.ts'

export interface Attached {
  readonly id: string
  readonly file: Blob
}

interface RefusedFile {
  /** Empty: of all that were chosen. */
  readonly name: string
  readonly why: PhotoProblem | 'not_kept' | 'too_many'
}

export type Photos = ReturnType<typeof usePhotos>

/** Their ids are a draft of its own, from which each command removes the one it sends. */
export function usePhotos(draftKey: string) {
  const key = draftKey.replace(':', 'photo:')
  const kept = useLiveQuery('draft.text', { key }).facts?.content ?? ''
  const found = useStored(kept)
  const [chosen, setChosen] = useState<readonly Attached[] | null>(null)
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<readonly RefusedFile[]>([])
  const photos = chosen ?? found
  /** Photos are taken in turn, while one may be removed. */
  const latest = useRef(photos)
  useEffect(() => {
    latest.current = photos
  }, [photos])

  function change(next: readonly Attached[]) {
    latest.current = next
    setChosen(next)
  }

  async function take(files: readonly File[]) {
    setRefused([])
    setBusy(true)
    const room = MESSAGE_PHOTOS_MAX - latest.current.length
    const problems: RefusedFile[] = []
    for (const file of files.slice(0, Math.max(0, room))) {
      // oxlint-disable-next-line no-await-in-loop -- one decoded photo in memory at a time
      const taken = await takePhoto(file)
      // oxlint-disable-next-line no-await-in-loop
      const why = taken.kind === 'refused' ? taken.problem : await keep(taken)
      if (why !== null) problems.push({ name: file.name, why })
    }
    if (files.length > room) problems.push({ name: '', why: 'too_many' })
    setBusy(false)
    setRefused(problems)
  }

  /** Stores the id before the file: a kill in between leaves no orphaned photo. */
  async function keep({
    photo: file,
    width,
    height,
  }: Extract<ProcessedPhoto<Blob>, { readonly kind: 'taken' }>): Promise<'not_kept' | null> {
    const id = commandId()
    const named = await ask('draft.keep', { key, content: idsOf([...latest.current, { id }]) })
    const outcome =
      named.kind === 'done'
        ? await ask('draft.keepPhoto', { id, draft: id, file, bytes: file.size, width, height })
        : named
    if (outcome.kind !== 'done') {
      void ask('draft.keep', { key, content: idsOf(latest.current) })
      return 'not_kept'
    }
    change([...latest.current, { id, file }])
    return null
  }

  function remove(id: string) {
    used(id)
    void ask('draft.keep', { key, content: idsOf(latest.current) })
    void ask('draft.removePhoto', { id })
  }

  function used(id: string) {
    change(latest.current.filter((one) => one.id !== id))
  }

  return { photos, busy, refused, take, remove, used }
}

function idsOf(photos: readonly Pick<Attached, 'id'>[]) {
  return photos.map(({ id }) => id).join(' ')
}

const none: readonly Attached[] = []

function useStored(kept: string) {
  const [found, setFound] = useState(none)
  useEffect(() => {
    const ids = kept.match(/\S+/gu) ?? []
    if (ids.length === 0) return undefined
    let shown = true
    const stored = ids.map(async (id) => ({ id, file: await storedPhoto(id) }))
    void Promise.all(stored).then((all) => {
      if (shown) setFound(all.flatMap(({ id, file }) => (file ? [{ id, file }] : [])))
    })
    return () => {
      shown = false
    }
  }, [kept])
  return kept === '' ? none : found
}
