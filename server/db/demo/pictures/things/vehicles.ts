import { at, circle, line, oval, type Pen, path, rect, times } from '../pen.ts'
import { darker, lighter, mixed } from '../tints.ts'

/** Cars from the side, 290 units long; the origin is the ground below the middle. */
const GLASS: readonly (readonly [number, string])[] = [[0, '#9fb6c3'], [0.45, '#4a5a66'], [0.5, '#2a343c'], [1, '#1a2127']]

function wheel(pen: Pen, x: number, r: number): string {
  const rim = pen.choice.pick(['#b9bec5', '#8d939b', '#d7dade'])
  const spokes = times(5, (n) => `<rect x="-${r * 0.09}" y="-${r * 0.56}" width="${r * 0.18}" height="${r * 0.5}" fill="${rim}" transform="rotate(${n * 72 + 14})"/>`)
  return at(x, -r, circle(0, 0, r, '#17181b') + circle(0, 0, r * 0.93, '#232529') + circle(0, 0, r * 0.62, '#3c4047') + spokes + circle(0, 0, r * 0.58, 'none', `stroke="${rim}" stroke-width="${r * 0.1}"`) + circle(0, 0, r * 0.14, lighter(rim, 0.3)))
}

interface Shape {
  readonly body: string
  readonly glass: readonly string[]
  readonly wheels: readonly [number, number]
  readonly r: number
  readonly waist: number
  readonly doors: readonly number[]
}

function car(pen: Pen, { body, glass, wheels, r, waist, doors }: Shape): string {
  const paint = pen.linear([[0, lighter(pen.main, 0.45)], [0.3, lighter(pen.main, 0.12)], [0.46, pen.main], [0.52, lighter(pen.main, 0.2)], [0.6, darker(pen.main, 0.12)], [1, darker(pen.main, 0.55)]])
  const glasses = pen.linear(GLASS)
  const arches = wheels.map((x) => circle(x, -r, r * 1.18, '#0e0f11')).join('')
  const handles = doors.slice(1).map((x) => rect(x - 20, waist + 10, 13, 3, lighter(pen.main, 0.35), 'rx="1.5"')).join('')
  return (
    path(body, paint, `stroke="${darker(pen.main, 0.5)}" stroke-width=".8"`) +
    glass.map((d) => path(d, glasses, `stroke="${darker(pen.main, 0.6)}" stroke-width="1.6"`)).join('') +
    doors.map((x) => line(`M${x} ${waist - 34} L${x} ${waist} q2 24 -1 42`, darker(pen.main, 0.5), 0.9, 'opacity=".8"')).join('') +
    handles +
    path(`M-134 ${waist + 6} Q0 ${waist - 4} 134 ${waist + 8}`, 'none', `stroke="${lighter(pen.main, 0.6)}" stroke-width="1.6" opacity=".55"`) +
    rect(-128, -18, 256, 7, darker(pen.main, 0.66), 'opacity=".85"') +
    oval(139, waist + 16, 7, 6.5, '#f5efdc') + oval(139, waist + 16, 4, 4, '#ffffff') + rect(-147, waist + 8, 8, 15, '#8f1f1a', 'rx="3"') +
    arches +
    wheels.map((x) => wheel(pen, x, r)).join('')
  )
}

export function sedan(pen: Pen): string {
  return car(pen, {
    body: 'M-147 -24 Q-150 -52 -140 -62 L-96 -70 Q-66 -104 -30 -107 L26 -107 Q52 -105 82 -72 Q128 -68 144 -52 Q150 -38 147 -22 L140 -14 L-140 -14 Z',
    glass: ['M-84 -71 Q-62 -98 -32 -101 L-10 -101 L-10 -71 Z', 'M-3 -101 L24 -101 Q46 -98 68 -71 L-3 -71 Z'],
    wheels: [-88, 92], r: 25, waist: -66, doors: [-88, -6, 72],
  })
}

export function hatchback(pen: Pen): string {
  return car(pen, {
    body: 'M-134 -24 Q-138 -60 -130 -74 Q-114 -112 -84 -117 L10 -118 Q40 -116 72 -78 Q118 -72 136 -54 Q142 -38 138 -22 L132 -14 L-128 -14 Z',
    glass: ['M-118 -78 Q-106 -106 -84 -110 L-30 -111 L-30 -78 Z', 'M-23 -111 L8 -111 Q32 -108 56 -78 L-23 -78 Z'],
    wheels: [-84, 86], r: 25, waist: -72, doors: [-92, -26, 60],
  })
}

export function suv(pen: Pen): string {
  const rack = line('M-96 -141 L18 -141', '#33363b', 4) + line('M-84 -141 v6 M6 -141 v6', '#33363b', 3)
  return rack + car(pen, {
    body: 'M-146 -30 Q-150 -76 -142 -94 Q-136 -132 -108 -136 L16 -137 Q44 -134 70 -92 Q124 -88 142 -70 Q149 -48 146 -30 L138 -20 L-138 -20 Z',
    glass: ['M-128 -96 Q-122 -126 -104 -128 L-78 -129 L-78 -96 Z', 'M-71 -129 L-16 -130 L-16 -96 L-71 -96 Z', 'M-9 -130 L14 -130 Q36 -126 56 -96 L-9 -96 Z'],
    wheels: [-90, 92], r: 31, waist: -88, doors: [-75, -12, 62],
  })
}

export function pickup(pen: Pen): string {
  return car(pen, {
    body: 'M-150 -34 L-150 -84 L-52 -84 L-46 -90 Q-36 -130 -10 -132 L34 -132 Q56 -128 78 -92 Q126 -86 144 -72 Q151 -50 148 -32 L140 -22 L-144 -22 Z',
    glass: ['M-36 -94 Q-30 -122 -8 -124 L4 -124 L4 -94 Z', 'M11 -124 L33 -124 Q50 -120 66 -94 L11 -94 Z'],
    wheels: [-96, 94], r: 31, waist: -86, doors: [-44, 8, 70],
  })
}

export function van(pen: Pen): string {
  return car(pen, {
    body: 'M-150 -28 L-150 -150 Q-148 -158 -138 -158 L66 -158 Q88 -156 108 -104 L136 -92 Q150 -80 150 -30 L142 -20 L-142 -20 Z',
    glass: ['M-136 -146 L-84 -146 L-84 -104 L-136 -104 Z', 'M-76 -146 L-24 -146 L-24 -104 L-76 -104 Z', 'M-16 -146 L32 -146 L32 -104 L-16 -104 Z', 'M40 -146 L64 -146 Q80 -144 95 -104 L40 -104 Z'],
    wheels: [-94, 96], r: 27, waist: -98, doors: [-20, 36, 98],
  })
}

export function truck(pen: Pen): string {
  const bed = mixed(pen.main, '#7a4a2a', 0.5)
  return (
    path('M-160 -60 L-166 -150 L46 -150 L46 -60 Z', pen.body(bed)) + times(7, (n) => line(`M${-146 + n * 28} -146 V-64`, darker(bed, 0.45), 3)) +
    path('M52 -34 L52 -158 Q56 -166 68 -166 L118 -164 Q132 -160 140 -112 L150 -96 L150 -34 Z', pen.body()) +
    path('M84 -154 L116 -153 Q124 -150 130 -112 L84 -112 Z', pen.linear(GLASS)) + rect(-168, -62, 318, 26, '#2a2c30') + oval(146, -62, 5, 8, '#f6efd8') +
    [-126, -66, 104].map((x) => wheel(pen, x, 30)).join('')
  )
}

/** Behind the wheel: what buyers ask to see. */
export function dashboard(pen: Pen): string {
  const seat = pen.choice.pick(['#3a3d42', '#6b5a48', '#8b8478'])
  return (
    rect(-230, -260, 460, 300, pen.linear([[0, '#cfdfe8'], [0.35, '#a9b7a6'], [0.5, '#8a7a62']])) + path('M-230 -120 Q0 -160 230 -120 V60 H-230 Z', pen.linear([[0, '#4a4d52'], [0.3, '#2c2e32'], [1, '#17181a']])) +
    path('M-190 -96 q70 -26 140 -10 l-8 44 h-128z', '#101113') + circle(-148, -80, 19, '#0a0b0c', 'stroke="#6b7078" stroke-width="2"') + circle(-92, -80, 19, '#0a0b0c', 'stroke="#6b7078" stroke-width="2"') + line('M-148 -80 l10 -10 M-92 -80 l-8 -12', '#e5533d', 2) +
    rect(14, -104, 96, 54, '#0c0f14', 'rx="5"') + rect(19, -99, 86, 44, pen.linear([[0, '#27466b'], [1, '#0f1c2e']]), 'rx="3"') + times(4, (n) => circle(26 + n * 24, -32, 8, '#202226', 'stroke="#5b6067" stroke-width="1.5"')) +
    circle(-120, -36, 74, 'none', 'stroke="#1a1b1e" stroke-width="17"') + circle(-120, -36, 74, 'none', 'stroke="#3c3f45" stroke-width="5"') + path('M-190 -40 L-148 -30 L-146 -8 L-94 -8 L-92 -30 L-50 -40 L-94 -52 h-52z', '#232529') +
    path('M-230 60 Q-200 -10 -150 24 V60Z', seat) + path('M120 60 Q160 -40 230 -10 V60Z', seat)
  )
}
