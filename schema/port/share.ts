import * as v from 'valibot'

/** The manifest's `share_target`. Only the service worker answers it. */
export const SHARE_PATH = '/share'
/**
 * Cache of shares that no draft has taken over: JSON under `sharePath`, pictures under
 * `sharedPhotoPath`.
 */
export const SHARED = 'shared'
/** Cache whose only entry is the signed-in user's id: a service worker cannot read the session. */
export const SHARER = 'sharer'
export const sharePath = (id: string) => `/shared/${id}`
export const sharedPhotoPath = (id: string) => `/shared/photos/${id}`

const id = v.pipe(v.string(), v.uuid())

/** Its ids become those of draft and photos: taken over twice, it is one draft. */
export const share = v.object({
  id,
  /** Signed in when it was shared; null: the next user who signs in takes it over. */
  owner: v.optional(v.nullable(v.string()), null),
  /** ms */
  at: v.number(),
  title: v.string(),
  text: v.string(),
  photos: v.array(v.object({ id, name: v.string() })),
  refused: v.array(
    v.object({
      name: v.string(),
      why: v.picklist(['image_too_large', 'image_type_unsupported', 'too_many_images']),
    }),
  ),
})
export type Share = v.InferOutput<typeof share>
