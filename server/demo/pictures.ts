import { hash } from 'node:crypto'
import manifest from './pictures/manifest.json' with { type: 'json' }

/**
 * `things` have photos of one thing each; details are parts of a photo, cut out on request. Hashes
 * are those that an upload would give.
 */
export const { things, avatars } = manifest
export const pictureRows = [
  ...things.flatMap(({ kind, colour, photos }) =>
    photos
      .flatMap((photo) => [photo, ...photo.details])
      .map(({ hash }) => ({ hash, kind, colour })),
  ),
  ...avatars.map(({ hash }) => ({ hash, kind: 'avatar', colour: null })),
]

type DemoPhoto = Omit<(typeof things)[number]['photos'][number], 'file' | 'details'>

const photoNames = new Map<string, DemoPhoto>(
  things.flatMap((thing) =>
    thing.photos.flatMap((photo) => [
      [plain(photo.file), photo] as const,
      ...photo.details.map((part, at) => [`${plain(photo.file)}/${at + 1}`, part] as const),
    ]),
  ),
)
const avatarNames = new Map(avatars.map((avatar) => [plain(avatar.file), avatar]))
const kinds = Map.groupBy(things, ({ kind }) => kind)
const letters = Map.groupBy(avatars, ({ letter }) => letter)

function plain(file: string) {
  return file.replace('.webp', '')
}

/** By its file, such as `abaya-black`; a detail is `abaya-black/1`. */
export const photoNamed = (name: string): DemoPhoto => known(photoNames.get(name), name)
export const avatarNamed = (name: string) => known(avatarNames.get(name), name)

/** Of one thing of the kind, or of any when the kind is gone. */
export function photosOf(kind: string, seed: string): readonly DemoPhoto[] {
  const { photos } = pick(kinds.get(kind) ?? things, seed)
  return [...photos, ...photos.flatMap(({ details }) => details)]
}

export function avatarOf(username: string) {
  return pick(letters.get(username.charAt(0).toUpperCase()) ?? avatars, username)
}

function pick<T>(list: readonly T[], seed: string) {
  return known(list[hash('sha256', seed, 'buffer').readUInt32BE() % list.length], seed)
}

function known<T>(picture: T | undefined, name: string) {
  if (picture === undefined) throw new Error(`the manifest has no picture for ${name}`)
  return picture
}
