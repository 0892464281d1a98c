import { Drawing, look } from './Drawing.tsx'

/** A letter that has left. */
export function AllDone() {
  return (
    <Drawing>
      <circle className={look.sun} cx="46" cy="40" r="9" />
      <path
        className={look.mark}
        strokeDasharray="1 6"
        d="M30 104c18 6 36-2 32-14s-20-4-12 6 26 2 38-12"
      />
      <path className={look.paper} d="m66 58 82-30-30 78-16-30z" />
      <path className={look.earth} d="m102 76 46-48-40 62z" />
      <path d="m102 76 46-48M102 76v24l8-10" />
      <circle className={look.brand} cx="130" cy="98" r="17" />
      <path className={look.on} d="m122 98 6 6 11-12" />
    </Drawing>
  )
}
