import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { fieldTexts, firstText, type Sentence } from '../../locales/problems.ts'
import { useTranslate } from '../../locales/format.ts'
import type { Refused } from './usePhotos.ts'
import type { Entry } from '#schema/disk/entry'

export interface BadPhoto {
  readonly id: string
  readonly text: Sentence
}

/** Problem and fix [S5.05]. */
export const photoLabels: Readonly<Record<Refused['why'] | 'not_kept', Sentence>> = {
  image_too_large: msg`image trop lourde (30 Mo au maximum). Choisissez-en une plus légère.`,
  image_too_small: msg`image trop petite (200 × 200 pixels au moins). Prenez une photo plus grande.`,
  image_type_unsupported: msg`ce format n’est pas pris en charge. Choisissez une photo JPEG, PNG ou WebP.`,
  image_unreadable: msg`cette image ne peut pas être lue. Reprenez la photo.`,
  image_dimensions_too_large: msg`image trop grande (50 mégapixels au maximum). \
Réglez l’appareil photo sur une taille plus petite.`,
  too_many_images: msg`5 photos au maximum. Retirez-en une d’abord.`,
  not_kept: msg`le téléphone n’a pas pu la garder. Libérez de l’espace, puis ajoutez-la de nouveau.`,
  not_turned: msg`elle n’a pas été tournée : le téléphone n’a plus de place pour elle.`,
  not_here: msg`elle n’est plus sur ce téléphone. Choisissez-la de nouveau.`,
}

export function PhotoProblem({ name, why }: { name: string; why: Sentence }) {
  const { t } = useLingui()
  const translate = useTranslate()
  return (
    <>
      <bdi>{name}</bdi>
      {t` : `}
      {translate(why)}
    </>
  )
}

/** null: another problem. Photos are sent one by one, or with the listing [API 6.2]. */
export function refusedPhoto({
  payload,
  problem,
}: Pick<Entry, 'payload' | 'problem'>): BadPhoto | null {
  if (!problem) return null
  const photos = Array.isArray(payload['photos']) ? payload['photos'].filter(isPhoto) : []
  const fields = Object.keys(problem.field_codes ?? {})
  const [, place] = /^images\.(\d+)$/m.exec(fields.join('\n')) ?? []
  const ofFile = fields.includes('file') || problem.code.startsWith('image_')
  const firstUnsent = ofFile ? photos.find(({ upload }) => upload == null) : undefined
  const found = place === undefined ? firstUnsent : photos[Number(place)]
  if (!found) return null
  const code = problem.field_codes?.['file']?.[0]?.code ?? problem.code
  const own: Readonly<Record<string, Sentence>> = photoLabels
  return {
    id: found.id,
    text:
      own[code] ??
      fieldTexts(problem)['file'] ??
      firstText(problem) ??
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
