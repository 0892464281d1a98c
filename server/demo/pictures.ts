import * as v from 'valibot'
import { random } from './random.ts'
import { readJson } from './source.ts'

const facts = {
  /** Content hash of the address, as for an upload (server/files/imageWorker/render.ts). */
  hash: v.string(),
  width: v.number(),
  height: v.number(),
  bytes: v.number(),
  thumbhash: v.string(),
  color: v.string(),
}
/** A part of a photo, cut out when it is asked for. */
const detail = v.object({ ...facts, left: v.number(), top: v.number() })
const photo = v.object({ ...facts, file: v.string(), details: v.array(detail) })
const thing = v.object({ kind: v.string(), colour: v.string(), photos: v.array(photo) })
const manifest = v.object({
  /** Photos of one thing each; the colour is named as in a listing's specs. */
  things: v.array(thing),
  avatars: v.array(v.object({ letter: v.string(), file: v.string(), hash: v.string() })),
})
type Detail = v.InferOutput<typeof detail>
type DemoPhoto = Omit<Detail, 'left' | 'top'>
type DemoAvatar = v.InferOutput<typeof manifest>['avatars'][number]
/** A thing as a listing shows it: its cover first, details of the cover last. */
export interface Look {
  readonly kind: string
  readonly colour: string
  readonly photos: readonly DemoPhoto[]
}

export const { things, avatars } = readJson(manifest, 'pictures/manifest.json')
export const pictureRows = [
  ...things.flatMap(({ kind, colour, photos }) =>
    photos
      .flatMap(({ hash, details }) => [hash, ...details.map((one) => one.hash)])
      .map((hash) => ({ hash, kind, colour })),
  ),
  ...avatars.map(({ hash }) => ({ hash, kind: 'avatar', colour: null })),
]

/** Each photo of a kind as a cover, before the other photos of its thing. */
const looks = Map.groupBy(
  things.flatMap(({ photos, ...rest }) =>
    photos.map(({ details }, at): Look => ({
      ...rest,
      photos: [...photos.slice(at), ...photos.slice(0, at), ...details],
    })),
  ),
  ({ kind }) => kind,
)
const byLetter = Map.groupBy(avatars, ({ letter }) => letter)
const INSIDE_MAX = 3

/**
 * One of the looks of these kinds, or any when an older database names a kind that is gone;
 * consecutive turns have different covers.
 */
export function lookOf(kinds: readonly string[], seed: number | string, turn = 0): Look {
  const known = kinds.flatMap((kind) => looks.get(kind) ?? [])
  const all = known.length > 0 ? known : [...looks.values()].flat()
  const start = random('look', seed).whole(0, all.length - 1)
  const look = all[(start + turn) % all.length]
  if (!look) throw new Error('the manifest has no pictures')
  return look
}

/** The photos of a listing in order. */
export function photosOf(
  seed: number,
  { look, inside }: { readonly look: Look; readonly inside: string | null },
): readonly DemoPhoto[] {
  if (inside === null) return look.photos
  const rooms = (looks.get(inside) ?? []).flatMap(({ photos: [first] }) => first ?? [])
  const start = random('inside', seed).whole(0, rooms.length - 1)
  return [...look.photos, ...[...rooms.slice(start), ...rooms.slice(0, start)].slice(0, INSIDE_MAX)]
}

export function avatarOf(username: string): DemoAvatar {
  return random('avatar', username).pick(byLetter.get(username.charAt(0).toUpperCase()) ?? avatars)
}
