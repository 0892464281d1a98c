import * as v from 'valibot'
import { random, type Random } from './random.ts'
import { content, readJson } from './source.ts'
import type { Subject } from './subject.ts'

const photo = v.object({
  file: v.string(),
  /** Content hash of the address, as for an upload (server/files/imageWorker/render.ts). */
  hash: v.string(),
  width: v.number(),
  height: v.number(),
  bytes: v.number(),
  thumbhash: v.string(),
  color: v.string(),
})
const manifest = v.object({
  /**
   * Photos of one thing each, the whole of it first; the colour is named as in a listing's specs.
   */
  things: v.array(v.object({ kind: v.string(), colour: v.string(), photos: v.array(photo) })),
  avatars: v.array(v.object({ letter: v.string(), file: v.string(), hash: v.string() })),
})
type DemoPhoto = v.InferOutput<typeof photo>
type Thing = v.InferOutput<typeof manifest>['things'][number]
type DemoAvatar = v.InferOutput<typeof manifest>['avatars'][number]

export const { things, avatars } = readJson(manifest, 'pictures/manifest.json')
export const pictureRows = [
  ...things.flatMap(({ kind, colour, photos }) =>
    photos.map(({ hash }) => ({ hash, kind, colour })),
  ),
  ...avatars.map(({ hash }) => ({ hash, kind: 'avatar', colour: null })),
]

const byKind = Map.groupBy(things, ({ kind }) => kind)
const byLetter = Map.groupBy(avatars, ({ letter }) => letter)
const INSIDE_MAX: Record<string, number> = { interior: 3, dashboard: 1 }

/**
 * The photos of a listing in order: one thing of its kind, in its colour or the nearest available.
 */
export function photosOf(
  seed: number | string,
  { pictures, colour }: Pick<Subject, 'pictures' | 'colour'>,
): DemoPhoto[] {
  const choice = random('picture', seed)
  const { photos } = choice.pick(inColour(choice.pick(pictures.kinds), colour))
  const [first, second, ...rest] = photos
  // Both show the whole thing, so either can be the cover.
  const whole = first && second && choice.chance(0.5) ? [second, first, ...rest] : photos
  return [...whole, ...(pictures.inside === null ? [] : photosInside(pictures.inside, choice))]
}

function inColour(kind: string, colour: string | null): readonly Thing[] {
  const all = byKind.get(kind) ?? things
  const wanted = colour === null ? [] : [colour, ...(content.colours[colour]?.near ?? [])]
  const nearest = wanted
    .map((one) => all.filter((thing) => thing.colour === one))
    .find(({ length }) => length > 0)
  return nearest ?? all
}

function photosInside(kind: string, choice: Random): DemoPhoto[] {
  const all = (byKind.get(kind) ?? []).flatMap(({ photos }) => photos)
  const start = choice.whole(0, all.length - 1)
  return [...all.slice(start), ...all.slice(0, start)].slice(0, INSIDE_MAX[kind] ?? 1)
}

export function avatarOf(username: string): DemoAvatar {
  return random('avatar', username).pick(byLetter.get(username.charAt(0).toUpperCase()) ?? avatars)
}
