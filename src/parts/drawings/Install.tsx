import { Drawing, look, Parasol } from './Drawing.tsx'

/** The app among the others on a phone. */
export function Install() {
  return (
    <Drawing>
      <rect className={look.paper} x="58" y="18" width="60" height="98" rx="9" />
      <path d="M80 26h16" />
      <rect className={look.earth} x="67" y="36" width="42" height="42" rx="9" />
      <g transform="translate(88 42)scale(.42)">
        <Parasol at={[0, 0]} />
      </g>
      <path className={look.shade} d="M67 88h10v10H67zM83 88h10v10H83zM99 88h10v10H99z" />
      <path className={look.mark} d="M138 54v26m-9-9 9 9 9-9" />
      <circle className={look.sun} cx="40" cy="52" r="8" />
    </Drawing>
  )
}
