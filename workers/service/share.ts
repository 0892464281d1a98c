import {
  DAY_MS,
  DESCRIPTION_MAX,
  IMAGES_PER_LISTING,
  PHOTO_FILE_BYTES,
  TITLE_MAX,
} from '#schema/limits'
import {
  type Share,
  SHARE_PATH,
  SHARED,
  SHARER,
  sharedPhotoPath,
  sharePath,
} from '#schema/port/share'
import { newId } from '../newId.ts'
import { scope } from './scope.ts'

const KEPT = 8
const KEPT_MS = 7 * DAY_MS

/** Another site's form is a forged request. */
export function isShare({ method, mode, url, headers, referrer }: Request) {
  const { origin } = scope.location
  const to = new URL(url)
  const sender = headers.get('origin') ?? 'null'
  return (
    method === 'POST' &&
    mode === 'navigate' &&
    to.origin === origin &&
    to.pathname === SHARE_PATH &&
    (sender === 'null' || sender === origin) &&
    (!/^https?:/.test(referrer) || new URL(referrer).origin === origin)
  )
}

/** Before anything opens, so that neither a lost network nor signing in loses it. */
export async function keepShare(request: Request) {
  try {
    const id = await keep(await request.formData())
    return Response.redirect(`/create-listing?draft=${id}`, 303)
  } catch {
    return Response.redirect('/create-listing?shared=lost', 303)
  }
}

async function keep(form: FormData) {
  const cache = await caches.open(SHARED)
  await makeRoom(cache)
  const [id, at] = [newId(), Date.now()]
  const { good, refused } = sorted(form.getAll('photos').filter((part) => part instanceof File))
  const photos = good.map((file) => ({ id: newId(), file }))
  await Promise.all(
    photos.map((photo) => cache.put(sharedPhotoPath(photo.id), new Response(photo.file))),
  )
  const textOf = (name: string, most: number) => {
    const parts = form.getAll(name).filter((part) => typeof part === 'string')
    return parts
      .join('\n')
      .trim()
      .slice(0, 2 * most)
  }
  const share: Share = {
    id,
    owner: (await (await caches.match('/', { cacheName: SHARER }))?.text()) ?? null,
    at,
    title: textOf('title', TITLE_MAX),
    text: [textOf('text', DESCRIPTION_MAX), textOf('url', DESCRIPTION_MAX)]
      .filter((part) => part !== '')
      .join('\n'),
    photos: photos.map(({ id: photo, file }) => ({ id: photo, name: file.name })),
    refused,
  }
  // Last: a share that can be read is complete.
  await cache.put(sharePath(id), new Response(JSON.stringify(share)))
  return id
}

/** [S5.05] */
function sorted(files: readonly File[]) {
  const good: File[] = []
  const refused: Share['refused'] = []
  for (const file of files) {
    const why = !file.type.startsWith('image/')
      ? 'image_type_unsupported'
      : file.size > PHOTO_FILE_BYTES
        ? 'image_too_large'
        : good.length === IMAGES_PER_LISTING
          ? 'too_many_images'
          : null
    if (why === null) good.push(file)
    else if (refused.length < 2 * IMAGES_PER_LISTING) refused.push({ name: file.name, why })
  }
  return { good, refused }
}

/** Throws when full: a new share never evicts a waiting one. */
async function makeRoom(cache: Cache) {
  const waiting: string[] = []
  for (const key of await cache.keys()) {
    const { pathname } = new URL(key.url)
    if (Date.now() - bornAt(pathname.slice(-36)) > KEPT_MS) await cache.delete(key)
    else if (pathname === sharePath(pathname.slice(-36))) waiting.push(pathname)
  }
  if (waiting.length >= KEPT) throw new Error('too much was shared and not opened')
}

/** ms: a UUIDv7 begins with its time. */
function bornAt(id: string) {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)
}
