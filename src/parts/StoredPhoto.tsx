import { useEffect, useState } from 'react'
import { storedPhoto } from '../data/photos.ts'
import { classes } from '../ui/classes.ts'
import css from './StoredPhoto.module.css'

/** Null while loading, and without an id. */
export function useStoredPhoto(id: string | null): Blob | null {
  const [kept, setKept] = useState<{ readonly id: string; readonly file: Blob | null } | null>(null)
  useEffect(() => {
    if (id === null) return undefined
    let shown = true
    void storedPhoto(id).then((file) => shown && setKept({ id, file }))
    return () => {
      shown = false
    }
  }, [id])
  return kept !== null && kept.id === id ? kept.file : null
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
