import ImageOff from 'lucide-react/icons/image-off'
import type { Image } from '#schema/wire/shapes'
import { useSaveData } from '../../data/saveData.ts'

/** A listing's cover in its smallest variant; in save-data mode a sign instead. */
export function SmallCover({
  image,
  size,
  className,
}: {
  image: Image | null
  size: number
  className: string | undefined
}) {
  const saveData = useSaveData()
  return image && !saveData ? (
    <img
      src={image.url.replace(/\d+\.webp$/u, `${image.widths[0] ?? 160}.webp`)}
      alt=""
      width={size}
      height={size}
      loading="lazy"
      decoding="async"
      className={className}
    />
  ) : (
    <span className={className}>
      <ImageOff />
    </span>
  )
}
