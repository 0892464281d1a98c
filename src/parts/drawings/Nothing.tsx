import { Drawing, look, Parasol } from './Drawing.tsx'

/** A stall without goods, looked at closely. */
export function NoResult() {
  return (
    <Drawing>
      <Parasol at={[70, 24]} />
      <path className={look.earth} d="M34 84h72v8H34z" />
      <path d="M42 92v24M98 92v24" />
      <circle className={look.paper} cx="122" cy="74" r="21" />
      <path className={look.mark} d="M115 67q7-7 14 0" />
      <path d="m137 89 16 17" strokeWidth="6" />
      <circle className={look.sun} cx="140" cy="34" r="7" />
    </Drawing>
  )
}

/** A mast between two waves, at sunset: the network is away, not lost. */
export function Offline() {
  return (
    <Drawing>
      <circle className={look.sun} cx="116" cy="86" r="24" />
      <path
        className={look.earth}
        d="M20 116c10-24 28-32 46-24 12 6 22 10 34 4 20-10 44-2 56 20z"
      />
      <path className={look.paper} d="m78 116 12-70 12 70" />
      <path d="M81 98h18M84 82h12M87 66h6M81 98l15-16M99 98 84 82M84 82l9-16M96 82l-9-16" />
      <circle className={look.brand} cx="90" cy="42" r="6" />
      <path
        className={look.mark}
        strokeDasharray="1 6"
        d="M76 52a16 16 0 0 1 0-22M104 52a16 16 0 0 0 0-22M66 60a28 28 0 0 1 0-38M114 60a28 28 0 0 0 0-38"
      />
    </Drawing>
  )
}

/** A signpost at a fork. */
export function NotFound() {
  return (
    <Drawing>
      <circle className={look.sun} cx="136" cy="70" r="9" />
      <path className={look.earth} d="M56 116c8-16 20-20 32-20s24 4 32 20z" />
      <path className={look.paper} d="M84 24h8v86h-8z" />
      <path className={look.brand} d="M58 34h54l12 10-12 10H58z" />
      <path className={look.paper} d="M118 64H66L54 74l12 10h52z" />
      <path className={look.on} d="M70 44h28" />
      <path d="M76 74h28M36 116c0-8 3-12 8-14M44 116c0-6-2-9-6-11M140 116c0-8-3-12-8-14" />
    </Drawing>
  )
}
