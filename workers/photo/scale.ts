import { IMAGE_MIN_PX, PHOTO_LONG_EDGE_PX } from '#schema/limits'

/** How much smaller a picture is kept: its long edge as agreed, unless its short one would then be less than the server takes [S5.05]. */
export function scaleOf(width: number, height: number): number {
  return Math.min(
    1,
    Math.max(PHOTO_LONG_EDGE_PX / Math.max(width, height), IMAGE_MIN_PX / Math.min(width, height)),
  )
}
