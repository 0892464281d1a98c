import { IMAGE_MIN_PX, PHOTO_LONG_EDGE_PX } from '#schema/limits'

/**
 * The downscaling factor: limits the long edge, but never shrinks the short one below the server's
 * minimum [S5.05].
 */
export function scaleOf(width: number, height: number): number {
  return Math.min(
    1,
    Math.max(PHOTO_LONG_EDGE_PX / Math.max(width, height), IMAGE_MIN_PX / Math.min(width, height)),
  )
}
