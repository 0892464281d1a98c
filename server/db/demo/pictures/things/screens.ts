import { circle, line, oval, type Pen, path, rect, times } from '../pen.ts'
import { boxes } from '../solid.ts'
import { darker, lighter } from '../tints.ts'

function picture(pen: Pen, width: number, height: number): string {
  if (pen.choice.chance(0.35)) return rect(0, 0, width, height, pen.linear([[0, '#31363d'], [0.45, '#0c0d10'], [1, '#1c2026']], 40))
  const [sky, sun, hill, front] = pen.choice.pick([['#7fc1e8', '#fff1c2', '#3f7a4a', '#28543a'], ['#f3a65a', '#ffe3a3', '#7a3b52', '#3d1f3d'], ['#1c2f5c', '#e8ecf8', '#27446e', '#0f1d38'], ['#d8e8ee', '#ffffff', '#b78b5c', '#7d5a3a']])
  return rect(0, 0, width, height, pen.linear([[0, sky], [0.7, lighter(sky, 0.45)]])) + circle(width * 0.72, height * 0.32, height * 0.12, sun) + path(`M0 ${height * 0.72} L${width * 0.24} ${height * 0.42} L${width * 0.44} ${height * 0.66} L${width * 0.66} ${height * 0.36} L${width} ${height * 0.7} V${height} H0Z`, hill) + path(`M0 ${height * 0.86} Q${width * 0.4} ${height * 0.7} ${width} ${height * 0.84} V${height} H0Z`, front) + path(`M0 0 H${width * 0.5} L${width * 0.2} ${height} H0Z`, '#ffffff', 'opacity=".1"')
}

export function television(pen: Pen): string {
  return boxes({ ...pen, turn: pen.turn * 0.55 }, [{ width: 262, height: 150, depth: 8, colour: '#15161a', front: `<g transform="translate(5 5)">${picture(pen, 252, 136)}</g>` + rect(122, 144, 18, 3, '#8d939a'), at: [0, 26, 0] }, { width: 8, height: 26, depth: 40, colour: '#1b1c20', at: [-80, 0, 0] }, { width: 8, height: 26, depth: 40, colour: '#1b1c20', at: [80, 0, 0] }], 0.12)
}

export function monitor(pen: Pen): string {
  return boxes({ ...pen, turn: pen.turn * 0.6 }, [{ width: 206, height: 124, depth: 9, colour: '#1d1f23', front: `<g transform="translate(6 6)">${picture(pen, 194, 108)}</g>`, at: [0, 50, 0] }, { width: 24, height: 54, depth: 10, colour: '#2b2e33', at: [0, 0, 8] }, { width: 96, height: 6, depth: 58, colour: '#2b2e33' }], 0.2)
}

export function laptop(pen: Pen): string {
  const shell = pen.choice.pick(['#b6bbc1', '#3a3d42', '#23252a', '#8f8a82'])
  const keys = times(60, (n) => rect(14 + (n % 15) * 13.6, 8 + Math.floor(n / 15) * 13, 11.4, 10, '#1a1b1e', 'rx="1.6"'))
  return (
    `<g transform="translate(-116 -196)">${rect(0, 0, 232, 146, pen.body(shell), 'rx="8"')}${rect(6, 6, 220, 132, '#0a0b0d', 'rx="4"')}<g transform="translate(11 11)">${picture(pen, 210, 120)}</g>${circle(116, 8, 1.4, '#333')}</g>` +
    path('M-116 -50 H116 L146 -8 H-146 Z', pen.linear([[0, darker(shell, 0.2)], [1, lighter(shell, 0.2)]])) + `<g transform="matrix(1 0 0 .5 -116 -49)">${path('M8 4 H224 L236 60 H-4 Z', darker(shell, 0.35))}${keys}</g>` + path('M-40 -20 H40 L44 -10 H-44 Z', darker(shell, 0.15), `stroke="${darker(shell, 0.4)}" stroke-width=".8"`) + path('M-146 -8 H146 L142 0 H-142 Z', darker(shell, 0.4))
  )
}

export function desktop(pen: Pen): string {
  const glow = pen.choice.pick(['#39c6d6', '#d6399c', '#5ee06f', '#8d939a'])
  return boxes(pen, [{ width: 70, height: 160, depth: 130, colour: '#202227', front: rect(12, 14, 46, 10, '#0c0d0f') + rect(12, 30, 46, 10, '#0c0d0f') + circle(35, 60, 6, glow) + times(10, (n) => line(`M14 ${90 + n * 6} h42`, '#0c0d0f', 2.4)), side: circle(66, 80, 40, glow, 'opacity=".25"') + circle(66, 80, 34, 'none', `stroke="${glow}" stroke-width="3" opacity=".8"`), at: [86, 0, 10] }, { width: 156, height: 96, depth: 8, colour: '#1b1c20', front: `<g transform="translate(5 5)">${picture(pen, 146, 82)}</g>`, at: [-54, 44, 10] }, { width: 18, height: 46, depth: 10, colour: '#2b2e33', at: [-54, 0, 16] }, { width: 140, height: 6, depth: 44, colour: '#17181b', top: times(40, (n) => rect(5 + (n % 13) * 10, 5 + Math.floor(n / 13) * 11, 8, 8, '#3a3d42')), at: [-54, 0, -60] }], 0.26)
}

/** Cards, sticks, drives: a thing with a circuit. */
export function component(pen: Pen): string {
  const chips = times(8, (n) => rect(-104 + n * 27, -70, 20, 34, '#17191c') + times(5, (k) => line(`M${-103 + n * 27 + k * 4.4} -34 v5`, '#c9b04a', 1.4)))
  return `<g transform="rotate(${pen.choice.between(-14, 14)} 0 -60)">${rect(-124, -92, 248, 74, pen.linear([[0, '#2f6a45'], [1, '#1f4a30']]), 'rx="3"')}${chips}${times(50, (n) => rect(-120 + n * 4.8, -18, 3.2, 10, '#d1b34c'))}${times(9, () => circle(pen.choice.between(-116, 116), pen.choice.between(-88, -74), 1.8, '#b9c4bd'))}</g>`
}

export function console(pen: Pen): string {
  const white = pen.choice.chance(0.4)
  const colour = white ? '#ececea' : '#1d1f23'
  return boxes(pen, [{ width: 190, height: 34, depth: 130, colour, front: rect(14, 14, 90, 3, '#060708') + circle(174, 17, 4, '#4a90d9') + rect(0, 24, 190, 2, darker(colour, 0.5)), at: [-20, 0, 30] }], 0.34) + `<g transform="translate(62 8) rotate(-8) scale(.62)">${pad(pen)}</g>`
}

export function pad(pen: Pen): string {
  const colour = pen.choice.pick(['#1f2125', '#ececea', '#2f5aa0', '#b0332b'])
  const ink = darker(colour, 0.6)
  return path('M-106 -120 Q-80 -140 -40 -132 H40 Q80 -140 106 -120 Q134 -60 120 -12 Q104 10 72 -30 Q40 -46 0 -46 Q-40 -46 -72 -30 Q-104 10 -120 -12 Q-134 -60 -106 -120 Z', pen.body(colour)) + circle(-40, -68, 20, ink) + circle(40, -68, 20, ink) + circle(-40, -70, 13, lighter(ink, 0.25)) + circle(40, -70, 13, lighter(ink, 0.25)) + path('M-86 -112 h12 v12 h12 v12 h-12 v12 h-12 v-12 h-12 v-12 h12z', ink) + times(4, (n) => circle(80 + 16 * Math.cos((n * Math.PI) / 2), -94 + 16 * Math.sin((n * Math.PI) / 2), 7, ['#d45b5b', '#5b8fd4', '#62b866', '#d48fc4'][n] ?? '#999')) + rect(-26, -122, 52, 26, ink, 'rx="6"') + path('M-96 -118 Q-60 -134 -20 -126', 'none', 'stroke="#ffffff" stroke-width="4" opacity=".3"')
}

export function gameBox(pen: Pen): string {
  const shell = pen.choice.pick(['#1f4fa0', '#eceae4'])
  return `<g transform="rotate(${pen.choice.between(-10, 10)} 0 -90)">${rect(-66, -184, 132, 176, shell, 'rx="4"')}${rect(-58, -164, 118, 150, pen.linear([[0, pen.choice.pick(['#2f7a4a', '#8f2f2a', '#3a3a78'])], [0.6, '#16191f'], [1, '#d99a3a']], 70))}${circle(0, -84, 34, '#f3efe4', 'opacity=".85"')}${path('M-58 -44 q50 -40 118 -10 v40 h-118z', '#2a2320', 'opacity=".7"')}${rect(-58, -180, 118, 12, lighter(shell, 0.3))}</g>` + oval(92, -40, 46, 44, pen.radial([[0, '#ffffff'], [0.3, '#c9d6df'], [0.6, '#e9d4e4'], [1, '#9fb0bd']])) + circle(92, -40, 9, '#6d6256')
}
