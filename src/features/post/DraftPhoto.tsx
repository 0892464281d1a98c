import { createContext, useContext } from 'react'
import type { Image } from '#schema/wire/shapes'
import { StoredPhoto, FilePhoto } from '../../parts/StoredPhoto.tsx'

export const ServerPhotos = createContext<ReadonlyMap<string, Image>>(new Map())

/** `file`: null while loading, absent to read it here; `id` "": no photo. */
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
  if (there)
    return <FilePhoto file={null} instead={smallest(there)} alt={alt} className={className} />
  return file === undefined ? (
    <StoredPhoto id={id === '' ? null : id} alt={alt} className={className} />
  ) : (
    <FilePhoto file={file} alt={alt} className={className} />
  )
}

function smallest({ base, widths, formats, url }: Image): string {
  const width = widths.find((one) => one >= 320)
  return width !== undefined && formats.includes('webp') ? `${base}/${width}.webp` : url
}
