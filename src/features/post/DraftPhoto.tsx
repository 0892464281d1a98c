import { type ComponentProps, createContext, useContext } from 'react'
import type { Image } from '#schema/wire/shapes'
import { StoredPhoto, FilePhoto } from '../../parts/StoredPhoto.tsx'

export const ServerPhotos = createContext<ReadonlyMap<string, Image>>(new Map())

/** `file`: null while loading, absent to read it here; `id` "": no photo. */
export function DraftPhoto({
  id,
  file,
  ...look
}: Omit<ComponentProps<typeof StoredPhoto>, 'id'> & { id: string; file?: Blob | null }) {
  const there = useContext(ServerPhotos).get(id)
  if (there) return <FilePhoto {...look} file={null} instead={smallest(there)} />
  if (file === undefined) return <StoredPhoto {...look} id={id === '' ? null : id} />
  return <FilePhoto {...look} file={file} />
}

function smallest({ base, widths, formats, url }: Image) {
  const width = widths.find((one) => one >= 320)
  return width !== undefined && formats.includes('webp') ? `${base}/${width}.webp` : url
}
