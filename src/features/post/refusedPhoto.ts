import type { Entry } from '#schema/disk/entry'
import { fieldWords, firstWords, type Sentence } from '../../locales/problems.ts'
import type { BadPhoto } from './PhotoList.tsx'
import { photoLabels } from './photoLabels.ts'

/** null: another problem. Photos are uploaded one by one, or with the listing [API 6.2]. */
export function refusedPhoto({
  payload,
  problem,
}: Pick<Entry, 'payload' | 'problem'>): BadPhoto | null {
  if (!problem) return null
  const photos = Array.isArray(payload['photos']) ? payload['photos'].filter(isPhoto) : []
  const fields = Object.keys(problem.field_codes ?? {})
  const whole = fields
    .map((field) => /^images\.(\d+)$/.exec(field)?.[1])
    .find((place) => place !== undefined)
  const ofFile = fields.includes('file') || problem.code.startsWith('image_')
  const found =
    whole !== undefined
      ? photos[Number(whole)]
      : ofFile
        ? photos.find(({ upload }) => upload == null)
        : undefined
  if (!found) return null
  const code = problem.field_codes?.['file']?.[0]?.code ?? problem.code
  const own: Readonly<Record<string, Sentence>> = photoLabels
  return {
    id: found.id,
    words:
      own[code] ??
      fieldWords(problem)['file'] ??
      firstWords(problem) ??
      photoLabels.image_unreadable,
  }
}

function isPhoto(
  value: unknown,
): value is { readonly id: string; readonly upload?: string | null } {
  return (
    typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'string'
  )
}
