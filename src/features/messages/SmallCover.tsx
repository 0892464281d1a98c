import ImageOff from 'lucide-react/icons/image-off'
import type { Image } from '#schema/wire/shapes'
import { useSaveData } from '../../data/saveData.ts'
import { useBroken } from '../../ui/brokenImage.ts'

/** A listing's cover in its smallest variant; a sign in save-data mode, or if it is missing. */
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
  const { broken, watch } = useBroken(image?.url)
  return image && !saveData && !broken ? (
    <img
      src={image.url.replace(/\d+\.webp$/u, `${image.widths[0] ?? 160}.webp`)}
      alt=""
      width={size}
      height={size}
      loading="lazy"
      decoding="async"
      className={className}
      {...watch}
    />
  ) : (
    <span className={className}>
      <ImageOff />
    </span>
  )
}
