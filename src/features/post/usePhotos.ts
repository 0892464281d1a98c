import { useEffect, useRef, useState } from 'react'
import { IMAGES_PER_LISTING } from '#schema/limits'
import type { PhotoProblem } from '#schema/port/photo'
import { ask } from '../../data/ask.ts'
import { keptPhoto, takePhoto, turnPhoto } from '../../data/photos.ts'
import { commandId } from '../../data/send.ts'
import { movedTo } from './order.ts'

/** A picture that was not taken in, by the name of its file. */
export interface Refused {
  readonly id: string
  readonly name: string
  readonly why: PhotoProblem | 'too_many_images' | 'not_kept' | 'not_here'
}

/** A picture that comes in, under the id that it will have; or why it cannot. */
export interface Incoming {
  readonly id: string
  readonly name: string
  readonly file: Blob | Refused['why']
}

export interface Photos {
  readonly ids: readonly string[]
  /** What the phone keeps under each id, as far as it was read. */
  readonly files: ReadonlyMap<string, Blob>
  /** Pictures that are being taken in. */
  readonly busy: number
  readonly refused: readonly Refused[]
  /** False: the phone could not keep one; those that are no photos do not count. */
  readonly add: (coming: readonly Incoming[]) => Promise<boolean>
  /** Puts another picture in a photo's place. */
  readonly replace: (id: string, coming: Incoming) => Promise<void>
  readonly turn: (id: string) => Promise<void>
  /** `place` counts from 0. */
  readonly move: (id: string, place: number) => void
  readonly remove: (id: string) => Promise<void>
}

type Ids = readonly string[]
type Kept = { readonly id: string } | { readonly why: Refused['why'] }

/** The photos of a draft: taken in one at a time, kept on the phone before they are shown as kept. */
export function usePhotos(draft: string, ids: Ids, change: (next: (now: Ids) => Ids) => void, flush: () => Promise<void>): Photos {
  const [files, setFiles] = useState<ReadonlyMap<string, Blob>>(new Map())
  const [busy, setBusy] = useState(0)
  const [refused, setRefused] = useState<readonly Refused[]>([])
  const asked = useRef(new Set<string>())
  const room = useRef(IMAGES_PER_LISTING - ids.length)

  useEffect(() => {
    for (const id of ids) {
      if (asked.current.has(id)) continue
      asked.current.add(id)
      void keptPhoto(id).then((file) => file && setFiles((all) => new Map(all).set(id, file)))
    }
  }, [ids])

  /** Keeps a taken photo under an id of its own: an upload's bytes never change under its key. */
  async function keep(id: string, taken: Awaited<ReturnType<typeof takePhoto>>): Promise<Kept> {
    if (taken.kind === 'refused') return { why: taken.problem }
    const { photo, width, height } = taken
    const outcome = await ask('draft.keepPhoto', { id, draft, file: photo, bytes: photo.size, width, height })
    if (outcome.kind !== 'done') return { why: 'not_kept' }
    asked.current.add(id)
    setFiles((all) => new Map(all).set(id, photo))
    return { id }
  }

  /** One picture, whatever becomes of it: said, if it was refused. */
  async function takeIn({ id, name, file }: Incoming): Promise<Kept> {
    const made: Kept = typeof file === 'string' ? { why: file } : await keep(id, await takePhoto(file))
    setBusy((now) => now - 1)
    if ('why' in made) setRefused((all) => [...all, { id, name, why: made.why }])
    return made
  }

  async function add(coming: readonly Incoming[]): Promise<boolean> {
    const fit = coming.slice(0, Math.max(0, room.current))
    room.current -= fit.length
    setRefused(coming.slice(fit.length).map(({ id, name }) => ({ id, name, why: 'too_many_images' })))
    setBusy((now) => now + fit.length)
    let all = true
    for (const one of fit) {
      // One after another: each is kept, and shown, before the next is decoded.
      // oxlint-disable-next-line no-await-in-loop
      const made = await takeIn(one)
      if ('id' in made) change((now) => (now.includes(made.id) ? now : [...now, made.id]))
      else {
        room.current += 1
        all &&= made.why !== 'not_kept'
      }
    }
    return all
  }

  async function replace(old: string, coming: Incoming): Promise<void> {
    setRefused([])
    setBusy((now) => now + 1)
    const made = await takeIn(coming)
    if ('id' in made) await exchange(old, made.id)
  }

  async function turn(id: string): Promise<void> {
    const file = files.get(id)
    if (!file) return
    setBusy((now) => now + 1)
    const made = await keep(commandId(), await turnPhoto(file))
    setBusy((now) => now - 1)
    if ('id' in made) await exchange(id, made.id)
  }

  async function exchange(old: string, id: string): Promise<void> {
    change((now) => now.map((one) => (one === old ? id : one)))
    await forget(old)
  }

  async function remove(id: string): Promise<void> {
    room.current += 1
    change((now) => now.filter((one) => one !== id))
    await forget(id)
  }

  /** Only once the draft does without it: a kill between the two must not leave a draft that misses a photo. */
  async function forget(id: string): Promise<void> {
    await flush()
    await ask('draft.removePhoto', { id })
  }

  return { ids, files, busy, refused, add, replace, turn, move: (id, place) => change((now) => movedTo(now, id, place)), remove }
}
