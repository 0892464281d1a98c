import sharp from 'sharp'
import { IMAGE_BYTES, IMAGE_MAX_SIDE_PX } from '#schema/limits'
import type { PictureCode } from './job.ts'

export const PIXELS_MAX = 50_000_000

/** After orientation, px. */
export type Header =
  | { readonly width: number; readonly height: number }
  | { readonly code: PictureCode }

/** Size, magic bytes and header, in the order of [API 5.4]. Never decodes. */
export async function readHeader(bytes: Uint8Array, least: number): Promise<Header> {
  if (bytes.byteLength > IMAGE_BYTES) return { code: 'image_too_large' }
  if (bytes.byteLength === 0) return { code: 'image_unreadable' }
  const kind = kindOf(bytes)
  if (!kind) return { code: 'image_type_unsupported' }
  try {
    // No pixel limit: only the header is read.
    const { format, compression, autoOrient } = await sharp(bytes, {
      limitInputPixels: false,
    }).metadata()
    // Magic bytes of one format with the content of another.
    if (format !== (kind === 'avif' ? 'heif' : kind) || (kind === 'avif' && compression !== 'av1'))
      return { code: 'image_type_unsupported' }
    const { width, height } = autoOrient
    if (Math.max(width, height) > IMAGE_MAX_SIDE_PX || width * height > PIXELS_MAX)
      return { code: 'image_dimensions_too_large' }
    if (Math.min(width, height) < least) return { code: 'image_too_small' }
    return { width, height }
  } catch {
    return { code: 'image_unreadable' }
  }
}

type Kind = 'jpeg' | 'png' | 'webp' | 'avif'

/** By content: names and declared types are untrusted. */
function kindOf(bytes: Uint8Array): Kind | null {
  const text = (from: number, to: number) =>
    Buffer.from(bytes.subarray(from, to)).toString('latin1')
  if (text(0, 3) === '\u00ff\u00d8\u00ff') return 'jpeg'
  if (text(0, 8) === '\u0089PNG\r\n\u001a\n') return 'png'
  if (text(0, 4) === 'RIFF' && text(8, 12) === 'WEBP') return 'webp'
  if (text(4, 8) === 'ftyp' && ['avif', 'avis'].includes(text(8, 12))) return 'avif'
  return null
}
