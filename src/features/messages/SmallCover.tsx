import ImageOff from 'lucide-react/icons/image-off'
import { useState } from 'react'
import type { Image } from '#schema/wire/shapes'
import { useSaveData } from '../../data/saveData.ts'
import { ifBroken } from '../../ui/brokenImage.ts'

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
  const [failed, setFailed] = useState<string | null>(null)
  const fail = () => setFailed(image?.url ?? null)
  return image && !saveData && failed !== image.url ? (
    <img
      src={image.url.replace(/\d+\.webp$/u, `${image.widths[0] ?? 160}.webp`)}
      alt=""
      width={size}
      height={size}
      loading="lazy"
      decoding="async"
      className={className}
      ref={ifBroken(fail)}
      onError={fail}
    />
  ) : (
    <span className={className}>
      <ImageOff />
    </span>
  )
}
