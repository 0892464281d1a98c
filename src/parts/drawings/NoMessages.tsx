import { Drawing, look } from './Drawing.tsx'

/** Two people's words. */
export function NoMessages() {
  return (
    <Drawing>
      <path
        className={look.paper}
        d="M40 30h62q10 0 10 10v24q0 10-10 10H62L46 88V74h-6q-10 0-10-10V40q0-10 10-10z"
      />
      <path d="M46 45h44M46 58h28" />
      <path
        className={look.brand}
        d="M90 60h44q12 0 12 12v20q0 12-12 12h-2v12l-15-12H90q-12 0-12-12V72q0-12 12-12z"
      />
      <path className={look.on} d="M92 76h40M92 88h24" />
      <circle className={look.sun} cx="126" cy="38" r="9" />
    </Drawing>
  )
}
