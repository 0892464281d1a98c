import type { RawBuilder } from 'kysely'
import type { Image } from '#schema/wire/shapes'
import { jsonOf } from '../db/sql.ts'
import type { Row } from '../db/tables.ts'

/** All that a page needs to lay it out before it loads [API 4.1], as an upload gives it. */
export const UPLOADED = ['hash', 'width', 'height', 'formats', 'thumbhash', 'color'] as const
export const PICTURE = [...UPLOADED, 'avif_widths'] as const
/** Attachments have no AVIF. */
export type PictureFacts = Pick<Row<'picture'>, (typeof UPLOADED)[number]> &
  Partial<Pick<Row<'picture'>, 'avif_widths'>>

export const pictureJson = (at: string): RawBuilder<unknown> => jsonOf(at, ['id', ...PICTURE])

const STEPS = [160, 320, 640, 1280]
/** What cards and photos of common phones show besides (decision 162). */
const AVIF_STEPS = [240, 360, 512, 768]
/** Width in px of the JPEG for other apps [API 6.3]. */
const PREVIEW_WIDTH = 640

/** [API 6.3]: a source narrower than the widest step adds its own width. */
export function widthsOf(sourceWidth: number) {
  const widths = STEPS.filter((step) => step <= sourceWidth)
  return sourceWidth < 1280 && !widths.includes(sourceWidth) ? [...widths, sourceWidth] : widths
}

export function avifWidthsOf(sourceWidth: number) {
  const more = AVIF_STEPS.filter((step) => step <= sourceWidth)
  return [...new Set([...widthsOf(sourceWidth), ...more])].toSorted((a, b) => a - b)
}

export const variantNames = (sourceWidth: number) => [
  ...widthsOf(sourceWidth).map((width) => `${width}.webp`),
  `${PREVIEW_WIDTH}.jpg`,
]
export const avatarNames: readonly string[] = ['256.webp', '64.webp']

export function pictureOf(folder: 'images' | 'attachments', picture: PictureFacts) {
  const { hash, width, height, formats, avif_widths = [], thumbhash, color } = picture
  const base = `/media/${folder}/${hash}`
  const widths = widthsOf(width)
  const shown = widths.findLast((step) => step <= PREVIEW_WIDTH) ?? width
  const url = `${base}/${shown}.webp`
  return {
    width,
    height,
    url,
    base,
    widths,
    formats: [...formats],
    avif_widths: [...avif_widths],
    thumbhash,
    color,
  }
}

export const imageOf = (id: string, position: number, picture: PictureFacts): Image => ({
  id,
  position,
  ...pictureOf('images', picture),
})

export function previewUrl(hash: string) {
  return `/media/images/${hash}/${PREVIEW_WIDTH}.jpg`
}

export function avatarUrl(hash: string) {
  return `/media/avatars/${hash}/256.webp`
}

/** Empty for a URL that is not an avatar's. */
export function avatarFolder(url: string) {
  const hash = /^\/media\/avatars\/([A-Za-z0-9_-]+)\//.exec(url)?.[1]
  return hash === undefined ? [] : [`avatars/${hash}`]
}
