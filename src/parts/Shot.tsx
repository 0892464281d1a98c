import { classes } from '../ui/classes.ts'
import css from './Shot.module.css'

export function Shot({
  file,
  instead,
  alt,
  className,
}: {
  file: Blob | null
  instead?: string | undefined
  alt: string
  className?: string | undefined
}) {
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
