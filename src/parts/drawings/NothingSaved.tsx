import { Drawing, look } from './Drawing.tsx'

/** An empty basket, and a heart above it. */
export function NothingSaved() {
  return (
    <Drawing>
      <path
        className={look.brand}
        d="M88 58C72 46 66 40 66 32a12 12 0 0 1 22-7 12 12 0 0 1 22 7c0 8-6 14-22 26z"
      />
      <path d="M58 78C58 62 68 54 76 51M118 78c0-16-10-24-18-27" />
      <path className={look.earth} d="M44 78h88l-9 33q-1 5-7 5H60q-6 0-7-5z" />
      <path d="m49 94 78 0M64 78l6 38M88 78v38M112 78l-6 38" />
      <rect className={look.paper} x="40" y="72" width="96" height="11" rx="5.5" />
      <path className={look.mark} d="M46 34v8M42 38h8M130 50v6M127 53h6" />
      <circle className={look.sun} cx="132" cy="30" r="5" />
    </Drawing>
  )
}
