import type { RawBuilder } from 'kysely'
import type { Image } from '#schema/wire/shapes'
import { jsonOf } from '../db/columns.ts'
import type { Row } from '../db/tables.ts'

/** All that a page needs to lay it out before it loads [API 4.1]. */
export const PICTURE = ['hash', 'width', 'height', 'formats', 'thumbhash', 'color'] as const
export type PictureFacts = Pick<Row<'picture'>, (typeof PICTURE)[number]>

/** A `PictureFacts` with its id, as JSON. */
export const pictureJson = (at: string): RawBuilder<unknown> => jsonOf(at, ['id', ...PICTURE])

const STEPS = [160, 320, 640, 1280]
/** Width in px of the JPEG for other apps [API 6.3]. */
export const PREVIEW_WIDTH = 640

/** [API 6.3]: a source narrower than the widest step adds its own width. */
export function widthsOf(sourceWidth: number): number[] {
  const widths = STEPS.filter((step) => step <= sourceWidth)
  return sourceWidth < 1280 && !widths.includes(sourceWidth) ? [...widths, sourceWidth] : widths
}

export const variantNames = (sourceWidth: number): string[] => [
  ...widthsOf(sourceWidth).map((width) => `${width}.webp`),
  `${PREVIEW_WIDTH}.jpg`,
]
export const avatarNames: readonly string[] = ['256.webp', '64.webp']

export function pictureOf(folder: 'images' | 'attachments', picture: PictureFacts) {
  const { hash, width, height, formats, thumbhash, color } = picture
  const base = `/media/${folder}/${hash}`
  const widths = widthsOf(width)
  const shown = widths.findLast((step) => step <= PREVIEW_WIDTH) ?? width
  const url = `${base}/${shown}.webp`
  return { width, height, url, base, widths, formats: [...formats], thumbhash, color }
}

/** [API 4.1] */
export const imageOf = (id: string, position: number, picture: PictureFacts): Image => ({
  id,
  position,
  ...pictureOf('images', picture),
})

export function previewUrl(hash: string): string {
  return `/media/images/${hash}/${PREVIEW_WIDTH}.jpg`
}

/** 256 px square [API 4.1]. */
export function avatarUrl(hash: string): string {
  return `/media/avatars/${hash}/256.webp`
}

/** Empty for a URL that is not an avatar's. */
export function avatarFolder(url: string): string[] {
  const hash = /^\/media\/avatars\/([A-Za-z0-9_-]+)\//.exec(url)?.[1]
  return hash === undefined ? [] : [`avatars/${hash}`]
}
