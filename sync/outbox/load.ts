import { ME_PATH } from '#schema/wire/session'
import type { Exchange } from '../network/http.ts'
import type { Delivery } from '../noun.ts'
import type { OutboxState } from './state.ts'

/** Adds key, auth context and the stored photos to a delivery; null: a photo is missing. */
export async function loaded(
  delivery: Delivery,
  key: string,
  token: string | null,
  { meta: { language, sessionId } }: OutboxState,
  photo: (id: string) => Promise<unknown>,
): Promise<Exchange | null> {
  const { files = [], ...rest } = delivery
  const body = files.length === 0 ? delivery.body : await formOf(delivery.body, files, photo)
  if (body === null) return null
  return {
    ...rest,
    body,
    ...(delivery.call.keyed ? { key: delivery.key ?? key } : {}),
    authContext: { token, language, sessionId },
  }
}

/** A small request that only our server answers correctly. */
export function probeOf(
  token: string | null,
  { meta: { language, sessionId } }: OutboxState,
): Exchange {
  return { call: { method: 'GET', path: ME_PATH }, authContext: { token, language, sessionId } }
}

/** Parks the entry with its text, so that the user can add the photo again. */
export const photoGone = {
  kind: 'refused',
  status: 0,
  problem: { detail: '', code: 'photo_gone' },
} as const

/**
 * Always multipart with fields in the same order: JSON and multipart have different idempotency
 * fingerprints [D99].
 */
async function formOf(
  fields: unknown,
  files: NonNullable<Delivery['files']>,
  photo: (id: string) => Promise<unknown>,
): Promise<FormData | null> {
  const form = new FormData()
  for (const [name, value] of Object.entries(
    typeof fields === 'object' && fields !== null ? fields : {},
  )) {
    if (value !== null && value !== undefined)
      form.append(name, typeof value === 'string' ? value : JSON.stringify(value))
  }
  for (const { name, photo: id } of files) {
    const file = await photo(id)
    if (!(file instanceof Blob)) return null
    form.append(name, file, `${id}.jpg`)
  }
  return form
}
