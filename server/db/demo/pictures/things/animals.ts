import { circle, line, oval, type Pen, path, times } from '../pen.ts'
import { boxes } from '../solid.ts'
import { darker, lighter, mixed } from '../tints.ts'

/** Animals from the side; the origin is the ground below the middle. */
const coat = (pen: Pen) => pen.choice.pick(['#ece6da', '#d8cbb4', '#b98a5e', '#f2eee6', '#8a6242'])

function legs(pen: Pen, xs: readonly number[], top: number, width: number, colour: string): string {
  return xs.map((x, n) => path(`M${x} ${top} l${width} 0 l${-width * 0.2} ${-top - 10} l${width * 0.05} 10 h${-width * 0.75} l${width * 0.05} -10 z`, pen.round(n % 2 ? darker(colour, 0.3) : colour)) + path(`M${x + width * 0.08} -7 h${width * 0.76} v7 h${-width * 0.8}z`, '#2a241f')).join('')
}

const hairs = (pen: Pen, x: number, y: number, rx: number, ry: number, colour: string) => times(46, () => { const [a, r] = [pen.choice.between(0, 6.28), Math.sqrt(pen.choice.next())]; return line(`M${(x + rx * r * Math.cos(a)).toFixed(1)} ${(y + ry * r * Math.sin(a)).toFixed(1)} q${pen.choice.between(-3, 1).toFixed(1)} 3 ${pen.choice.between(-6, 0).toFixed(1)} 6`, pen.choice.chance(0.5) ? lighter(colour, 0.35) : darker(colour, 0.3), 1.1, 'opacity=".45"') })

export function sheep(pen: Pen): string {
  const fur = coat(pen)
  const face = pen.choice.chance(0.5) ? mixed(fur, '#2b2018', 0.75) : fur
  return (
    legs(pen, [-66, -46, 38, 58], -70, 15, mixed(fur, '#6b5138', 0.2)) + path('M-96 -118 Q-112 -80 -104 -40', 'none', `stroke="${fur}" stroke-width="9" stroke-linecap="round"`) +
    path('M-98 -120 Q-90 -152 -30 -148 Q30 -150 66 -140 Q96 -150 98 -108 Q92 -62 50 -58 Q0 -50 -60 -60 Q-104 -72 -98 -120 Z', pen.body(fur)) + hairs(pen, -6, -102, 86, 40, fur) +
    path('M62 -136 Q80 -176 112 -182 L122 -168 Q104 -132 88 -110 Z', pen.body(fur)) + path('M104 -188 Q136 -186 152 -160 Q158 -148 146 -144 Q116 -146 102 -166 Z', pen.body(face)) + path('M104 -176 Q86 -168 82 -148 Q98 -150 110 -166 Z', darker(face, 0.2)) + circle(124, -170, 3.4, '#15110d') + circle(123, -171, 1.1, '#ffffff') +
    (pen.choice.chance(0.5) ? path('M108 -188 Q96 -214 74 -196 Q66 -182 82 -176 Q88 -190 104 -182 Z', pen.round('#8d7a5c')) : '') + line('M138 -150 q8 2 12 -2', darker(face, 0.5), 1.4)
  )
}

export function goat(pen: Pen): string {
  const fur = pen.choice.pick(['#9a5f36', '#e9e2d5', '#3a2f28', '#c69a6c'])
  return (
    legs(pen, [-58, -40, 38, 56], -66, 13, fur) + path('M-86 -124 Q-70 -146 -20 -140 Q40 -142 72 -130 Q90 -110 78 -74 Q20 -56 -60 -66 Q-96 -80 -86 -124 Z', pen.body(fur)) + hairs(pen, 0, -104, 74, 32, fur) + path('M-86 -124 l-16 -18 12 -6 14 16z', fur) +
    path('M62 -126 Q74 -166 98 -176 L114 -160 Q100 -126 84 -104 Z', pen.body(fur)) + path('M94 -184 Q122 -184 142 -150 Q144 -138 130 -138 Q104 -148 94 -166 Z', pen.body(fur)) + path('M98 -170 Q82 -158 84 -142 Q98 -148 106 -160 Z', darker(fur, 0.3)) + line('M104 -184 Q92 -214 70 -216 M112 -184 Q106 -210 88 -222', '#5b4a38', 6) + circle(116, -168, 3, '#14100c') + line('M128 -138 q-2 14 -8 22', lighter(fur, 0.3), 4)
  )
}

export function cow(pen: Pen): string {
  const hide = pen.choice.pick(['#efe9dd', '#8b4f2c', '#2e2723', '#c9b08d'])
  return (
    legs(pen, [-84, -62, 52, 74], -78, 18, hide) + path('M-116 -138 Q-130 -90 -118 -40', 'none', `stroke="${hide}" stroke-width="6" stroke-linecap="round"`) + path('M-118 -140 Q-100 -164 -40 -158 Q0 -158 30 -164 Q44 -196 70 -182 Q96 -172 104 -140 Q110 -84 70 -72 Q0 -58 -80 -72 Q-124 -90 -118 -140 Z', pen.body(hide)) +
    (pen.choice.chance(0.5) ? path('M-60 -150 q40 10 30 44 q-40 20 -54 -14 q4 -22 24 -30z M30 -140 q30 0 34 30 q-30 26 -48 4z', mixed(hide, '#5a3a22', 0.75)) : '') +
    path('M92 -160 Q120 -176 146 -150 Q160 -118 150 -104 Q136 -98 128 -112 Q112 -130 96 -126 Z', pen.body(hide)) + path('M116 -168 Q100 -208 128 -226 M132 -166 Q150 -196 136 -224', 'none', 'stroke="#d8cdb6" stroke-width="8" stroke-linecap="round"') + circle(130, -146, 3.6, '#120e0a') + oval(150, -110, 8, 9, '#3a2c26') + path('M96 -156 l-22 4 8 16 18 -6z', darker(hide, 0.2)) + path('M96 -124 Q104 -84 90 -70', 'none', `stroke="${darker(hide, 0.2)}" stroke-width="12"`)
  )
}

export function hen(pen: Pen): string {
  const plume = pen.choice.pick(['#8a4a24', '#ece7dc', '#2c2622', '#b5763b', '#9b9b98'])
  const one = (x: number, y: number, size: number, flip: number) =>
    `<g transform="translate(${x} ${y}) scale(${size * flip} ${size})">${line('M-6 -34 L-8 0 m-8 0 h16 M12 -34 L12 0 m-8 0 h16', '#c9923a', 4)}${path('M-76 -96 Q-92 -130 -66 -128 Q-40 -92 0 -100 Q26 -106 30 -134 Q44 -148 58 -132 Q64 -90 44 -54 Q10 -22 -34 -38 Q-66 -54 -76 -96 Z', pen.body(plume))}${path('M-40 -84 Q0 -104 24 -72 Q-4 -46 -40 -84 Z', darker(plume, 0.22))}${path('M34 -138 q2 -16 10 -8 q4 -12 10 -2 q8 -6 8 8 q-14 8 -28 2z', '#c0291f')}${path('M60 -130 l16 6 -16 6z', '#e0a63a')}${path('M54 -118 q8 12 0 18 q-8 -6 0 -18z', '#c0291f')}${circle(50, -130, 2.8, '#14100c')}${times(14, () => line(`M${pen.choice.between(-56, 30)} ${pen.choice.between(-90, -44)} q5 5 10 2`, lighter(plume, 0.35), 1.4, 'opacity=".6"'))}</g>`
  return one(-44, -6, 0.92, 1) + one(70, 0, 0.78, -1)
}

export function chicks(pen: Pen): string {
  return boxes(pen, [{ width: 210, height: 40, depth: 130, colour: '#b9905c', top: times(34, () => { const [x, y] = [pen.choice.between(16, 194), pen.choice.between(14, 118)]; return circle(x, y, 12, pen.choice.pick(['#f2cf57', '#e8bb3c', '#f6dd86'])) + circle(x + 6, y - 5, 6.5, '#f7dd7f') + circle(x + 8, y - 6, 1.3, '#221a0e') + path(`M${x + 12} ${y - 5} l5 2 -5 2z`, '#d98c2b') }) }], 0.75)
}

export function rabbit(pen: Pen): string {
  const fur = pen.choice.pick(['#efeae2', '#9a8a78', '#5b4a3c', '#c9b59a'])
  return path('M-86 -40 Q-92 -110 -20 -112 Q40 -110 52 -60 Q60 -10 20 -4 H-60 Q-84 -8 -86 -40 Z', pen.body(fur)) + hairs(pen, -20, -60, 60, 44, fur) + circle(-88, -34, 14, lighter(fur, 0.4)) + path('M28 -100 Q30 -140 66 -138 Q100 -126 98 -98 Q86 -70 52 -72 Z', pen.body(fur)) + path('M44 -132 Q22 -190 40 -206 Q60 -190 60 -138 Z M66 -136 Q64 -196 84 -204 Q98 -180 80 -130 Z', pen.body(fur)) + path('M46 -142 Q34 -180 42 -194 Q52 -178 54 -142z', '#dba9a0', 'opacity=".7"') + circle(74, -112, 4.6, '#1a1512') + circle(73, -113.6, 1.5, '#fff') + oval(97, -100, 4, 3, '#c98b84') + oval(26, -6, 28, 9, fur) + oval(-56, -8, 34, 10, lighter(fur, 0.1))
}

export function dog(pen: Pen): string {
  const fur = pen.choice.pick(['#8b5a34', '#c79a68', '#2e2823', '#e4dccd'])
  return legs(pen, [-56, -38, 34, 52], -72, 14, fur) + path('M-78 -126 Q-112 -150 -108 -172', 'none', `stroke="${fur}" stroke-width="10" stroke-linecap="round"`) + path('M-82 -122 Q-60 -140 0 -132 Q50 -140 72 -124 Q82 -90 64 -70 Q0 -80 -60 -66 Q-90 -80 -82 -122 Z', pen.body(fur)) + path('M54 -120 Q60 -170 92 -176 L122 -160 Q146 -150 148 -138 Q138 -128 108 -132 Q92 -110 78 -100 Z', pen.body(fur)) + path('M84 -174 Q70 -150 78 -136 Q94 -140 98 -164z', darker(fur, 0.35)) + circle(112, -158, 3.4, '#100c09') + oval(147, -142, 5, 4.4, '#17120f') + line('M124 -136 q12 2 20 -2', darker(fur, 0.6), 1.6) + line('M60 -112 Q78 -98 92 -114', '#a3382b', 7)
}

export function parrot(pen: Pen): string {
  const body = pen.choice.pick(['#8f959b', '#3f9a4a', '#d8b32f'])
  return line('M-96 -26 Q0 -16 110 -34', '#6b4d33', 12) + path('M-20 -30 Q-50 -100 -10 -160 Q30 -186 46 -140 Q54 -90 20 -40 Q6 10 -14 22 Q-24 0 -20 -30 Z', pen.body(body)) + path('M-16 -120 Q16 -100 10 -40 Q-30 -60 -16 -120 Z', darker(body, 0.25)) + path('M38 -150 q22 2 16 28 q-14 -2 -20 -16z', '#24211f') + circle(24, -150, 7, '#f4f2ec') + circle(25, -150, 3.6, '#14110e') + path('M-14 -6 Q-16 26 -6 40 Q4 20 4 -8z', '#b0302a')
}

export function incubator(pen: Pen): string {
  return boxes(pen, [{ width: 190, height: 120, depth: 110, colour: '#e7e5dd', front: path('M20 18 H132 V96 H20z', '#1c2429') + times(18, (n) => oval(34 + (n % 6) * 18, 40 + Math.floor(n / 6) * 22, 7, 8.5, '#efe2c8')) + path('M20 18 H132 V96 H20z', pen.linear([[0, '#ffffff', 0.35], [0.6, '#ffffff', 0.03]], 40)) + path('M144 24 h34 v20 h-34z', '#152a1c') + circle(152, 62, 5, '#d04a3a') + circle(170, 62, 5, '#4ab56a') }], 0.26)
}
