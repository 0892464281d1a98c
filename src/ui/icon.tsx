import type { SVGProps } from 'react'
import { classes } from './classes.ts'

/** A lucide icon, which the build reduces to one path (build/icons.ts). */
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
