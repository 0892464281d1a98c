import { members } from '#schema/tolerant'
import { ME_PATH } from '#schema/wire/session'
import type { AuthContext, Exchange } from '../network/http.ts'
import type { Delivery } from '../noun.ts'
import type { OutboxState } from './state.ts'

/** Adds key, auth context and the stored photos to a delivery; null: a photo is missing. */
export async function loaded(
  delivery: Delivery,
  key: string,
  token: string | null,
  state: OutboxState,
  photo: (id: string) => Promise<unknown>,
): Promise<Exchange | null> {
  const { files = [], ...rest } = delivery
  const body = files.length === 0 ? delivery.body : await formOf(delivery.body, files, photo)
  if (body === null) return null
  return {
    ...rest,
    body,
    ...(delivery.call.keyed ? { key: delivery.key ?? key } : {}),
    authContext: authContextOf(token, state),
  }
}

/** A small request that only our server answers correctly. */
export function probeOf(token: string | null, state: OutboxState): Exchange {
  return { call: { method: 'GET', path: ME_PATH }, authContext: authContextOf(token, state) }
}

function authContextOf(token: string | null, { meta }: OutboxState): AuthContext {
  return { token, language: meta.language, sessionId: meta.sessionId }
}

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
  for (const [name, value] of Object.entries(members(fields))) {
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
