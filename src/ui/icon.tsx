import type { SVGProps } from 'react'
import { classes } from './classes.ts'

/** A drawing of lucide as the build writes it (vite.config.ts): one path, one component; its strokes stand in base.css. */
export function icon(path: string) {
  return function Icon({ className, ...rest }: SVGProps<SVGSVGElement>) {
    return (
      <svg
        viewBox="0 0 24 24"
        aria-hidden={rest['aria-label'] === undefined || undefined}
        className={classes('lucide', className)}
        {...rest}
      >
        <path d={path} />
      </svg>
    )
  }
}
