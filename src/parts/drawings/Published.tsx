import { Drawing, look, Parasol } from './Drawing.tsx'

/** A listing at its place under the parasol. */
export function Published() {
  return (
    <Drawing>
      <Parasol at={[88, 22]} />
      <path className={look.earth} d="M44 104h88v8H44z" />
      <rect className={look.paper} x="62" y="62" width="52" height="44" rx="5" />
      <path className={look.shade} d="M67 67h42v20H67z" />
      <path d="M70 84l10-10 8 8 6-5 12 9M70 94h22M70 100h12" />
      <circle className={look.brand} cx="116" cy="98" r="14" />
      <path className={look.on} d="m109 98 5 5 9-10" />
      <path className={look.mark} d="M34 44l4 6M26 62h7M142 44l-4 6M150 62h-7M40 78l-5 4" />
      <circle className={look.sun} cx="146" cy="82" r="4" />
      <circle className={look.sun} cx="40" cy="30" r="5" />
    </Drawing>
  )
}
