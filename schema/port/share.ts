import * as v from 'valibot'

/** Where other apps send pictures and words to (the manifest's `share_target`); the service worker alone answers there. */
export const SHARE_PATH = '/share'
/** The cache of what was shared and no draft has taken over yet: a share as JSON under `sharePath`, each picture under `sharedPhotoPath`. */
export const SHARED = 'shared'
export const sharePath = (id: string): string => `/shared/${id}`
export const sharedPhotoPath = (id: string): string => `/shared/photos/${id}`

const id = v.pipe(v.string(), v.uuid())

/** One act of sharing. Its id becomes the draft's and those of its pictures the photos', so that taking it over twice makes one draft. */
export const share = v.object({
  id,
  /** Id of the account that was in when the app first saw it; null: nobody's yet, so whoever comes in next takes it over. */
  owner: v.optional(v.nullable(v.string()), null),
  /** ms. */
  at: v.number(),
  title: v.string(),
  text: v.string(),
  photos: v.array(v.object({ id, name: v.string() })),
  /** Not kept, by the names of their files. */
  refused: v.array(
    v.object({
      name: v.string(),
      why: v.picklist(['image_too_large', 'image_type_unsupported', 'too_many_images']),
    }),
  ),
})
export type Share = v.InferOutput<typeof share>
