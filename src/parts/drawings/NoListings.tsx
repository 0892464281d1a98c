import { Drawing, look, Parasol } from './Drawing.tsx'

/** An own stall that waits for its first goods. */
export function NoListings() {
  return (
    <Drawing>
      <Parasol at={[88, 22]} />
      <path className={look.earth} d="M40 90h96v9H40z" />
      <path d="M50 99v17M126 99v17" />
      <rect
        className={look.paper}
        x="66"
        y="62"
        width="44"
        height="28"
        rx="4"
        strokeDasharray="4 5"
      />
      <path className={look.mark} d="M88 69v14M81 76h14" />
      <circle className={look.sun} cx="144" cy="42" r="7" />
    </Drawing>
  )
}
