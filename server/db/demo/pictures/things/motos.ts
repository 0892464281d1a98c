import { at, circle, line, oval, type Pen, path, rect, times } from '../pen.ts'
import { darker, lighter } from '../tints.ts'

/** Two and three wheels from the side; the origin is the ground below the middle. */
function tyre(pen: Pen, x: number, r: number, width = 8): string {
  const spokes = times(18, (n) => `<path d="M0 0 L0 ${-(r - width)}" stroke="#b9bec4" stroke-width=".7" transform="rotate(${n * 20 + pen.choice.between(-4, 4)})"/>`)
  return at(x, -r, circle(0, 0, r - width / 2, 'none', `stroke="#1a1b1d" stroke-width="${width}"`) + circle(0, 0, r - width - 1.5, 'none', 'stroke="#9ba1a8" stroke-width="3"') + spokes + circle(0, 0, r * 0.24, '#6c727a') + circle(0, 0, r * 0.12, '#cfd3d8'))
}

const chrome = (pen: Pen) => pen.linear([[0, '#eef1f4'], [0.4, '#8d949c'], [0.6, '#4f555c'], [1, '#aab0b7']])

function engine(pen: Pen, x: number, y: number): string {
  return at(x, y, path('M-26 -8 L-18 -34 L18 -38 L30 -14 L24 10 L-22 12 Z', pen.linear([[0, '#8f959c'], [0.5, '#565b62'], [1, '#2b2e32']])) + times(5, (n) => line(`M-14 ${-31 + n * 5} L18 ${-34 + n * 5}`, '#33373c', 1.6)) + circle(-2, -2, 13, '#777d84') + circle(-2, -2, 8, '#4a4f55'))
}

function handlebar(x: number, y: number): string {
  return line(`M${x} ${y} q-10 -8 -22 -4`, '#222428', 5) + line(`M${x - 4} ${y - 2} l-8 -24`, '#3b3f45', 2) + oval(x - 14, y - 30, 9, 6, '#30343a')
}

/** The small step-through moto that the whole country rides. */
export function underbone(pen: Pen): string {
  const paint = pen.body()
  return (
    tyre(pen, -84, 42) + tyre(pen, 92, 42) + line('M92 -42 L72 -112 L64 -142', chrome(pen), 7) + engine(pen, -2, -44) +
    line('M-84 -42 L-8 -40', '#3a3d42', 8) + line('M-60 -30 Q-30 -20 20 -26 L-96 -34', chrome(pen), 8) +
    path('M58 -144 Q76 -150 84 -132 L74 -96 Q60 -62 34 -56 L28 -66 Q50 -88 56 -120 Z', paint) +
    path('M34 -60 Q6 -52 -14 -74 L-24 -92 L-118 -104 Q-128 -98 -114 -86 L-60 -70 Q-30 -40 14 -44 Z', paint) +
    path('M-118 -110 Q-70 -128 -18 -102 L-22 -92 Q-70 -98 -116 -100 Z', pen.linear([[0, '#4a4c50'], [1, '#161719']])) +
    path('M48 -66 Q92 -108 134 -66 L126 -60 Q92 -88 60 -56 Z', paint) + path('M-128 -82 L-140 -60 L-128 -56 L-112 -82 Z', '#2a2c30') +
    rect(-132, -100, 14, 8, '#b3261f', 'rx="2"') + oval(84, -134, 9, 12, '#f4efdd', 'stroke="#8d949c" stroke-width="2"') + handlebar(62, -146) + line('M-30 -96 Q10 -110 40 -72', lighter(pen.main, 0.6), 2, 'opacity=".6"')
  )
}

export function roadster(pen: Pen): string {
  const paint = pen.body()
  return (
    tyre(pen, -92, 45, 11) + tyre(pen, 96, 45, 10) + line('M96 -45 L66 -130', chrome(pen), 8) + line('M-92 -45 L-20 -54', '#2f3237', 9) + engine(pen, 0, -58) + line('M20 -30 Q-20 -16 -110 -40', chrome(pen), 10) +
    path('M-26 -112 Q10 -146 58 -128 L64 -104 Q30 -84 -18 -92 Z', paint) + path('M-14 -112 Q14 -132 44 -122', 'none', `stroke="${lighter(pen.main, 0.65)}" stroke-width="4" opacity=".7"`) +
    path('M-128 -112 Q-80 -118 -24 -108 L-22 -92 Q-70 -90 -112 -100 Z', '#1d1e21') + path('M-36 -92 L-104 -98 L-116 -84 L-46 -70 Z', paint) + line('M60 -118 L0 -84 L-30 -56 M60 -118 L26 -44', '#202226', 6) +
    path('M54 -72 Q96 -110 142 -70 L134 -64 Q96 -94 62 -62 Z', paint) + circle(78, -126, 14, '#f3eedb', 'stroke="#80868e" stroke-width="3"') + handlebar(62, -146) + rect(-136, -104, 13, 8, '#b3261f', 'rx="2"')
  )
}

export function scooter(pen: Pen): string {
  const paint = pen.body()
  return (
    tyre(pen, -80, 33, 12) + tyre(pen, 96, 33, 11) + line('M96 -33 L82 -92', '#2d3035', 8) +
    path('M-124 -66 Q-132 -104 -96 -112 L-26 -106 Q-8 -84 2 -54 L40 -52 L52 -64 Q66 -120 60 -150 L86 -154 Q102 -104 84 -44 Q70 -28 40 -30 L-40 -30 Q-60 -62 -104 -58 Z', paint) +
    path('M-116 -116 Q-70 -134 -24 -110 L-26 -102 L-112 -106 Z', pen.linear([[0, '#55585d'], [1, '#17181a']])) + path('M62 -58 Q96 -88 130 -54 L122 -48 Q96 -70 72 -48 Z', paint) +
    path('M58 -150 L88 -154 L92 -124 L66 -118 Z', darker(pen.main, 0.35)) + oval(88, -112, 7, 13, '#f6f0dd') + handlebar(68, -154) + line('M-110 -96 Q-70 -108 -34 -98', lighter(pen.main, 0.65), 2.4, 'opacity=".7"') + rect(-130, -92, 9, 14, '#b3261f', 'rx="3"') + rect(6, -52, 36, 6, '#26282c')
  )
}

export function moped(pen: Pen): string {
  return (
    tyre(pen, -78, 40, 6) + tyre(pen, 84, 40, 6) + line('M84 -40 L62 -132', chrome(pen), 5) + line('M-78 -40 L-6 -44 L62 -100', pen.main, 11) + line('M-6 -44 L-30 -104', pen.main, 8) + engine(pen, -6, -36) +
    path('M-64 -112 Q-30 -126 4 -110 L-2 -100 L-58 -102 Z', '#1f2023') + path('M40 -62 Q84 -100 124 -58', 'none', `stroke="${pen.main}" stroke-width="7"`) + path('M-118 -56 Q-78 -98 -36 -60', 'none', `stroke="${pen.main}" stroke-width="7"`) + circle(66, -120, 10, '#f3eedb', 'stroke="#80868e" stroke-width="2"') + handlebar(58, -136) + rect(-104, -92, 52, 6, '#5a5f66')
  )
}

export function tricycle(pen: Pen): string {
  const bed = darker(pen.main, 0.1)
  return (
    tyre(pen, 112, 38, 10) + line('M112 -38 L92 -110', '#3a3d42', 8) + engine(pen, 40, -42) + path('M20 -98 Q50 -116 86 -104 L88 -86 L24 -80 Z', pen.body()) + path('M-16 -92 Q10 -104 30 -92 L26 -80 L-14 -80 Z', '#1d1e21') +
    path('M-158 -58 L-164 -112 L-24 -112 L-20 -58 Z', pen.body(bed)) + times(6, (n) => line(`M${-148 + n * 24} -108 V-62`, darker(bed, 0.4), 2.4)) + line('M-164 -112 V-138 H-24 V-112', '#3f434a', 4) + rect(-160, -60, 190, 10, '#26282c') +
    path('M76 -64 Q112 -96 148 -62 L140 -56 Q112 -82 84 -54 Z', pen.main) + circle(102, -108, 11, '#f3eedb', 'stroke="#80868e" stroke-width="3"') + handlebar(88, -128) + tyre(pen, -104, 36, 12) + tyre(pen, -62, 33, 10)
  )
}

export function bicycle(pen: Pen): string {
  return (
    tyre(pen, -76, 46, 5) + tyre(pen, 84, 46, 5) + line('M-76 -46 L-8 -46 L-34 -118 M-76 -46 L-30 -104 L56 -104 L-8 -46 M56 -104 L84 -46 M56 -104 L50 -130', pen.main, 7) + line('M-30 -102 L54 -102', lighter(pen.main, 0.6), 1.6) +
    circle(-8, -46, 14, 'none', 'stroke="#4b5057" stroke-width="4"') + line('M-8 -46 l10 24 M2 -22 h12', '#3a3d42', 4) + path('M-54 -126 Q-30 -134 -10 -122 L-32 -116 Z', '#1d1e21') + line('M50 -130 q18 -8 26 2', '#26282c', 6)
  )
}
