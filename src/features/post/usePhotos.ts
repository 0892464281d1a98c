import {
  startTransition,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { IMAGES_PER_LISTING } from '#schema/limits'
import type { PhotoProblem, ProcessedPhoto } from '#schema/port/photo'
import { ask, commandId } from '../../data/ask.ts'
import { storedPhoto, takePhoto, turnPhoto } from '../../data/photos.ts'
import { onSession } from '../../data/session.ts'
import { signal } from '../../data/signal.ts'
import { movedTo } from './useReorder.ts'
import { AGAIN_MS, type useListingDraft } from './useListingDraft.ts'
import type { Share } from '#schema/port/share'
import { forgetShare, sharedPhoto } from '../../data/shared.ts'

export interface Refused extends Pick<Incoming, 'id' | 'name'> {
  readonly why: PhotoProblem | 'too_many_images' | 'not_turned' | 'not_here'
}

export type Incoming = Readonly<{
  id: string
  name: string
  file: Blob | Refused['why']
}>

interface Waiting extends Pick<Incoming, 'id' | 'name'> {
  readonly photo: TakenPhoto
  readonly instead: string | undefined
}
type TakenPhoto = Extract<ProcessedPhoto<Blob>, { kind: 'taken' }>

/** What did not fit into storage, by draft: the user may leave to free space, and come back. */
const unstored = new Map<string, readonly Waiting[]>()
const none: readonly Waiting[] = []
const unstoredChanges = signal()
onSession(() => unstored.clear())

function changeUnstored(draft: string, next: (now: readonly Waiting[]) => readonly Waiting[]) {
  const left = next(unstored.get(draft) ?? none)
  if (left.length > 0) unstored.set(draft, left)
  else unstored.delete(draft)
  unstoredChanges.emit()
}

export type Photos = ReturnType<typeof usePhotos>

/** One at a time, saved before they show. Transitions keep typing smooth. */
export function usePhotos(
  draft: string,
  owner: string,
  { photos: ids, change: changeDraft, flush }: ReturnType<typeof useListingDraft>,
) {
  const [files, setFiles] = useState<ReadonlyMap<string, Blob>>(new Map())
  const [busy, setBusy] = useState(0)
  const [changing, setChanging] = useState<string | null>(null)
  const [refused, setRefused] = useState<readonly Refused[]>([])
  const waiting = useSyncExternalStore(unstoredChanges.on, () => unstored.get(draft) ?? none)
  const asked = useRef(new Set<string>())
  const room = useRef(
    IMAGES_PER_LISTING - ids.length - waiting.filter(({ instead }) => instead === undefined).length,
  )
  const givenUp = useRef(new Set<string>())
  const change = (next: (now: readonly string[]) => readonly string[]) =>
    changeDraft((now) => ({ ...now, photos: next(now.photos) }))

  useEffect(() => {
    for (const id of ids) {
      if (asked.current.has(id)) continue
      asked.current.add(id)
      void storedPhoto(id).then((file) => file && setFiles((all) => new Map(all).set(id, file)))
    }
  }, [ids])

  useAgain(waiting.length > 0, async (left) => {
    for (const { id, photo, instead } of waiting) {
      // In sequence: if the first does not fit, none does.
      // oxlint-disable-next-line no-await-in-loop
      if (!(await keep(id, photo)) || left()) return
      changeUnstored(draft, (all) => all.filter((one) => one.id !== id))
      // oxlint-disable-next-line no-await-in-loop
      await (givenUp.current.has(id) ? forget(id) : put(id, instead))
    }
  })

  /** A new id: an upload's bytes never change under their key. False: no room. */
  async function keep(id: string, { photo, width, height }: TakenPhoto) {
    const file = { file: photo, bytes: photo.size, width, height }
    const outcome = await ask('draft.keepPhoto', { id, draft, owner, ...file })
    if (outcome.kind !== 'done') return false
    asked.current.add(id)
    startTransition(() => setFiles((all) => new Map(all).set(id, photo)))
    return true
  }

  async function takeIn(
    { id, name, file }: Incoming,
    instead?: string,
  ): Promise<'kept' | 'waits' | 'refused'> {
    const taken =
      typeof file === 'string'
        ? ({ kind: 'refused', problem: file } as const)
        : await takePhoto(file)
    const kept = taken.kind === 'taken' && (await keep(id, taken))
    startTransition(() => setBusy((now) => now - 1))
    if (taken.kind === 'refused') {
      setRefused((all) => [...all, { id, name, why: taken.problem }])
      return 'refused'
    }
    if (kept) await put(id, instead)
    else changeUnstored(draft, (all) => [...all, { id, name, photo: taken, instead }])
    return kept ? 'kept' : 'waits'
  }

  async function put(id: string, instead: string | undefined) {
    if (instead === undefined)
      startTransition(() => change((now) => (now.includes(id) ? now : [...now, id])))
    else await exchange(instead, id)
  }

  /** False: one waits for space; rejected files do not count. */
  async function add(coming: readonly Incoming[]) {
    const taken = coming.slice(0, Math.max(0, room.current))
    const left = coming.slice(taken.length)
    room.current -= taken.length
    setRefused([])
    startTransition(() => setBusy((now) => now + taken.length))
    let all = true
    for (const one of taken) {
      // In sequence: each is saved and shown before the next is decoded.
      // oxlint-disable-next-line no-await-in-loop
      const made = await takeIn(one)
      const next = made === 'refused' ? left.shift() : undefined
      if (next) {
        taken.push(next)
        startTransition(() => setBusy((now) => now + 1))
      } else if (made === 'refused') room.current += 1
      all &&= made !== 'waits'
    }
    setRefused((known) => [
      ...known,
      ...left.map(({ id, name }) => ({ id, name, why: 'too_many_images' as const })),
    ])
    return all
  }

  function giveUp(id: string) {
    givenUp.current.add(id)
    if (waiting.some((one) => one.id === id && one.instead === undefined)) room.current += 1
    changeUnstored(draft, (all) => all.filter((one) => one.id !== id))
  }

  async function replace(old: string, coming: Incoming) {
    setRefused([])
    setBusy((now) => now + 1)
    setChanging(old)
    await takeIn(coming, old)
    setChanging(null)
  }

  /** `name`: shown if it cannot be rotated. */
  async function turn(old: string, name: string) {
    const file = files.get(old)
    if (!file) return
    setRefused([])
    setBusy((now) => now + 1)
    setChanging(old)
    const id = commandId()
    const taken = await turnPhoto(file)
    const kept = taken.kind === 'taken' && (await keep(id, taken))
    setBusy((now) => now - 1)
    setChanging(null)
    if (kept) await exchange(old, id)
    else setRefused([{ id, name, why: taken.kind === 'refused' ? taken.problem : 'not_turned' }])
  }

  async function exchange(old: string, id: string) {
    change((now) => now.map((one) => (one === old ? id : one)))
    await forget(old)
  }

  async function remove(id: string) {
    room.current += 1
    change((now) => now.filter((one) => one !== id))
    await forget(id)
  }

  /** After the draft: a kill in between must not leave a missing photo. */
  async function forget(id: string) {
    await flush()
    await ask('draft.removePhoto', { id })
  }

  return {
    ids,
    files,
    busy,
    changing,
    refused,
    waiting,
    giveUp,
    add,
    replace,
    turn,
    move: (id: string, place: number) => change((now) => movedTo(now, id, place)),
    remove,
  }
}

function useAgain(full: boolean, work: (left: () => boolean) => Promise<void>) {
  const again = useEffectEvent(work)
  useEffect(() => {
    if (!full) return undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    let left = false
    const wait = () => {
      if (!left) timer = setTimeout(() => void again(() => left).then(wait), AGAIN_MS)
    }
    wait()
    return () => {
      left = true
      clearTimeout(timer)
    }
  }, [full])
}

/** Moves a share into the draft. A kill in between duplicates nothing: photos keep their ids. */
export function useShared(share: Share | undefined, photos: Photos, flush: () => Promise<void>) {
  const begun = useRef<string | null>(null)

  async function takeOver(share: Share) {
    const missing = share.photos.filter(({ id }) => !photos.ids.includes(id))
    const good = missing.map(async ({ id, name }): Promise<Incoming> => ({
      id,
      name,
      file: (await sharedPhoto(id)) ?? 'not_here',
    }))
    const bad = share.refused.map(({ name, why }) => ({ id: commandId(), name, file: why }))
    const all = await photos.add([...(await Promise.all(good)), ...bad])
    await flush()
    if (all) await forgetShare(share)
  }

  useEffect(() => {
    if (!share || begun.current === share.id) return
    begun.current = share.id
    void takeOver(share)
  })
}
