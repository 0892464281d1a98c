import { classes } from '../../ui/classes.ts'
import css from './PhotoList.module.css'

/** A photo that only the phone holds; null: not read yet, or none. */
export function Shot({ file, alt, className }: { file: Blob | null; alt: string; className?: string | undefined }) {
  return <span className={classes(css.frame, className)}>{file && <img ref={showing(file)} alt={alt} />}</span>
}

/** Its memory is given back when the picture leaves the screen. */
function showing(file: Blob) {
  return (image: HTMLImageElement): (() => void) => {
    const url = URL.createObjectURL(file)
    image.src = url
    return () => URL.revokeObjectURL(url)
  }
}
