import { createContext, useContext } from 'react'
import type { Image } from '#schema/wire/shapes'
import { KeptPhoto } from '../../parts/KeptPhoto.tsx'
import { Shot } from '../../parts/Shot.tsx'

/** Photos that the server already has, by id: those of a listing that is edited. */
export const ServerPhotos = createContext<ReadonlyMap<string, Image>>(new Map())

/** A photo of what is written: one that the phone keeps (`file`; null: not read yet, absent: read here), or one of the server's; an empty `id`: there is none. */
export function DraftPhoto({
  id,
  file,
  alt,
  className,
}: {
  id: string
  file?: Blob | null
  alt: string
  className?: string | undefined
}) {
  const there = useContext(ServerPhotos).get(id)
  if (there) return <Shot file={null} instead={smallest(there)} alt={alt} className={className} />
  return file === undefined ? (
    <KeptPhoto id={id === '' ? null : id} alt={alt} className={className} />
  ) : (
    <Shot file={file} alt={alt} className={className} />
  )
}

/** Wide enough for its place on a phone. */
function smallest({ base, widths, formats, url }: Image): string {
  const width = widths.find((one) => one >= 320)
  return width !== undefined && formats.includes('webp') ? `${base}/${width}.webp` : url
}
