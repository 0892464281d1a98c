import { storedPhoto } from '../data/photos.ts'
import { useLoaded } from '../data/useLoaded.ts'
import { classes } from '../ui/classes.ts'
import css from './StoredPhoto.module.css'

/** null while it loads, and without an id. */
export function useStoredPhoto(id: string | null): Blob | null {
  return useLoaded(id, storedPhoto)
}

interface Look {
  alt: string
  className?: string | undefined
}

export function StoredPhoto({ id, ...look }: Look & { id: string | null }) {
  return <FilePhoto file={useStoredPhoto(id)} {...look} />
}

export function FilePhoto({
  file,
  instead,
  alt,
  className,
}: Look & { file: Blob | null; instead?: string | undefined }) {
  return (
    <span className={classes(css.frame, className)}>
      {file && <img ref={showing(file)} alt={alt} decoding="async" />}
      {!file && instead !== undefined && <img src={instead} alt={alt} />}
    </span>
  )
}

function showing(file: Blob) {
  return (image: HTMLImageElement): (() => void) => {
    const url = URL.createObjectURL(file)
    image.src = url
    return () => URL.revokeObjectURL(url)
  }
}
