import type { ReactNode } from 'react'
import css from './Drawing.module.css'

export { css as look }

/** Decoration: the text beside it says the same. 176 × 132, on a common ground. */
export function Drawing({ children }: { children: ReactNode }) {
  return (
    <svg viewBox="0 0 176 132" aria-hidden="true" className={css.drawing}>
      <path
        className={css.ground}
        d="M16 76C12 42 44 14 86 14c44 0 78 22 76 58-2 32-32 44-76 44-42 0-66-12-70-40z"
      />
      <path d="M28 116h120" />
      {children}
    </svg>
  )
}

/** The app's sign. Its top is at 0,0; the canopy is 72 wide and 32 high, the pole ends at 92. */
export function Parasol({ at }: { at: readonly [x: number, y: number] }) {
  return (
    <g transform={`translate(${at.join()})`}>
      <path d="M0 0v92" />
      <path
        className={css.paper}
        d="M-36 32C-34 12-20 2 0 2s34 10 36 30q-6 5-12 0-6 5-12 0-6 5-12 0-6 5-12 0-6 5-12 0-6 5-12 0z"
      />
      <path
        className={css.brand}
        d="M-24 32C-22 14-14 4 0 2c-8 6-11 16-12 30q-6 5-12 0zM0 32V2c8 6 11 16 12 30q-6 5-12 0z
          M36 32C34 14 20 3 0 2c14 4 22 14 24 30q6 5 12 0z"
      />
      <path d="M-36 32C-34 12-20 2 0 2s34 10 36 30q-6 5-12 0-6 5-12 0-6 5-12 0-6 5-12 0-6 5-12 0-6 5-12 0z" />
    </g>
  )
}
