import { useEffect, useRef, useState } from 'react'
import { IMAGES_PER_LISTING } from '#schema/limits'
import type { PhotoProblem } from '#schema/port/photo'
import { ask } from '../../data/ask.ts'
import { takePhoto, turnPhoto } from '../../data/photos.ts'
import { commandId } from '../../data/send.ts'
import { moved } from './order.ts'

/** A picture that was not taken in, by the name of its file. */
export interface Refused {
  readonly id: string
  readonly name: string
  readonly why: PhotoProblem | 'too_many_images' | 'not_kept'
}

export interface Photos {
  readonly ids: readonly string[]
  /** What the phone keeps under each id, as far as it was read. */
  readonly files: ReadonlyMap<string, Blob>
  /** Pictures that are being taken in. */
  readonly busy: number
  readonly refused: readonly Refused[]
  readonly add: (files: readonly File[]) => Promise<void>
  readonly turn: (id: string) => Promise<void>
  readonly move: (id: string, by: -1 | 1) => void
  readonly remove: (id: string) => void
}

type Ids = readonly string[]
type Kept = { readonly id: string } | { readonly why: Refused['why'] }

/** The photos of a draft: taken in one at a time, kept on the phone before they are shown as kept. */
export function usePhotos(draft: string, ids: Ids, change: (next: (now: Ids) => Ids) => void): Photos {
  const [files, setFiles] = useState<ReadonlyMap<string, Blob>>(new Map())
  const [busy, setBusy] = useState(0)
  const [refused, setRefused] = useState<readonly Refused[]>([])
  const asked = useRef(new Set<string>())
  const room = useRef(IMAGES_PER_LISTING - ids.length)

  useEffect(() => {
    for (const id of ids) {
      if (asked.current.has(id)) continue
      asked.current.add(id)
      void fileOf(id).then((file) => file && setFiles((all) => new Map(all).set(id, file)))
    }
  }, [ids])

  /** Keeps a taken photo under an id of its own: an upload's bytes never change under its key. */
  async function keep(taken: Awaited<ReturnType<typeof takePhoto>>): Promise<Kept> {
    if (taken.kind === 'refused') return { why: taken.problem }
    const id = commandId()
    const { photo, width, height } = taken
    const outcome = await ask('draft.keepPhoto', { id, draft, file: photo, bytes: photo.size, width, height })
    if (outcome.kind !== 'done') return { why: 'not_kept' }
    asked.current.add(id)
    setFiles((all) => new Map(all).set(id, photo))
    return { id }
  }

  async function add(chosen: readonly File[]): Promise<void> {
    const fit = chosen.slice(0, Math.max(0, room.current))
    room.current -= fit.length
    setRefused(chosen.slice(fit.length).map(({ name }) => ({ id: commandId(), name, why: 'too_many_images' })))
    setBusy((now) => now + fit.length)
    for (const file of fit) {
      // One after another: each is kept, and shown, before the next is decoded.
      // oxlint-disable-next-line no-await-in-loop
      const made = await keep(await takePhoto(file))
      setBusy((now) => now - 1)
      if ('id' in made) change((now) => [...now, made.id])
      else {
        room.current += 1
        setRefused((all) => [...all, { id: commandId(), name: file.name, why: made.why }])
      }
    }
  }

  async function turn(id: string): Promise<void> {
    const file = files.get(id)
    if (!file) return
    setBusy((now) => now + 1)
    const made = await keep(await turnPhoto(file))
    setBusy((now) => now - 1)
    if ('why' in made) return
    change((now) => now.map((one) => (one === id ? made.id : one)))
    void ask('draft.removePhoto', { id })
  }

  function remove(id: string): void {
    room.current += 1
    change((now) => now.filter((one) => one !== id))
    void ask('draft.removePhoto', { id })
  }

  return { ids, files, busy, refused, add, turn, move: (id, by) => change((now) => moved(now, id, by)), remove }
}

/** A photo that the phone keeps; null: it is not here. */
export async function fileOf(id: string): Promise<Blob | null> {
  const outcome = await ask('draft.photo', { id })
  return outcome.kind === 'done' && outcome.answer.file instanceof Blob ? outcome.answer.file : null
}
