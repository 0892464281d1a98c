import { useEffect, useState } from 'react'
import { classes } from '../../ui/classes.ts'
import css from './PhotoList.module.css'

/** A photo that only the phone holds; null: not read yet, or none. */
export function Shot({ file, alt, className }: { file: Blob | null; alt: string; className?: string | undefined }) {
  const url = useObjectUrl(file)
  return <span className={classes(css.frame, className)}>{url !== null && <img src={url} alt={alt} />}</span>
}

/** Its memory is given back when the picture leaves the screen. */
function useObjectUrl(file: Blob | null): string | null {
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    if (!file) return undefined
    const made = URL.createObjectURL(file)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [file])
  return url
}
