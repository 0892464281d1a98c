import { circle, each, line, oval, type Pen, path, rect, times } from '../pen.ts'
import { boxes } from '../solid.ts'
import { darker, lighter } from '../tints.ts'

const enamel = (pen: Pen) => pen.choice.pick(['#e6e6e3', '#c3c7ca', '#8d9297', '#3a3d41', '#b9453c'])

export function fridge(pen: Pen): string {
  const colour = enamel(pen)
  return boxes(pen, [{ width: 104, height: 196, depth: 78, colour, front: rect(0, 62, 104, 2.4, darker(colour, 0.6)) + rect(8, 22, 5, 34, '#f2f3f3', 'rx="2"') + rect(8, 72, 5, 56, '#f2f3f3', 'rx="2"') + rect(0, 0, 104, 62, pen.linear([[0, '#ffffff', 0.3], [0.4, '#ffffff', 0.02]], 30)) + rect(0, 186, 104, 10, darker(colour, 0.5)) + rect(60, 9, 28, 7, lighter(colour, 0.5), 'rx="2"') }], 0.14)
}

export function freezer(pen: Pen): string {
  return boxes(pen, [{ width: 196, height: 112, depth: 84, colour: '#e9eae8', front: times(10, (n) => line(`M140 ${74 + n * 3} h44`, '#9aa0a5', 1.4)) + rect(12, 84, 40, 12, '#2f6a9f', 'rx="3"'), side: '' }, { width: 200, height: 14, depth: 88, colour: '#f4f4f2', front: rect(84, 3, 32, 7, '#b6bbbf', 'rx="3"'), at: [0, 112, 0] }], 0.32)
}

export function washer(pen: Pen): string {
  const colour = pen.choice.pick(['#eeeeeb', '#b9bdc1'])
  return boxes(pen, [{ width: 122, height: 146, depth: 96, colour, front: rect(0, 0, 122, 28, darker(colour, 0.1)) + circle(96, 14, 9, '#d7dadd', 'stroke="#7d8388" stroke-width="2"') + rect(10, 6, 40, 16, lighter(colour, 0.4), 'rx="3"') + rect(58, 9, 24, 10, '#12261c', 'rx="2"') + circle(61, 86, 43, '#c9cdd0') + circle(61, 86, 35, '#24282d') + circle(61, 86, 32, pen.radial([[0, '#8fa9b5'], [0.6, '#3a4a54'], [1, '#14191d']], 0.4, 0.35)) + path('M40 74 q14 -18 36 -12', 'none', 'stroke="#ffffff" stroke-width="4" opacity=".5"') }], 0.22)
}

export function cooker(pen: Pen): string {
  const colour = pen.choice.pick(['#d5d8da', '#2c2e31', '#e9e7e1'])
  const ring = (x: number, y: number) => oval(x, y, 18, 10, '#1c1d1f') + oval(x, y, 9, 5, '#45484c') + line(`M${x - 20} ${y} h40 M${x} ${y - 11} v22`, '#0f1011', 2.4)
  return boxes(pen, [{ width: 126, height: 128, depth: 90, colour, front: rect(0, 0, 126, 24, darker(colour, 0.15)) + times(5, (n) => circle(16 + n * 23, 12, 7, '#16181a', 'stroke="#999fa4" stroke-width="1.6"')) + rect(12, 36, 102, 66, '#111315', 'rx="4"') + rect(20, 44, 86, 50, pen.linear([[0, '#4a3a2a'], [1, '#18140f']]), 'rx="3"') + rect(16, 30, 94, 4, '#d9dcde', 'rx="2"'), top: ring(32, 26) + ring(94, 26) + ring(32, 64) + ring(94, 64) }], 0.36)
}

export function gasBottle(pen: Pen): string {
  const colour = pen.choice.pick(['#c9402f', '#2f6fb0', '#d9992b', '#3f8a57'])
  return path('M-52 -14 V-110 Q-52 -140 0 -142 Q52 -140 52 -110 V-14 Q52 -2 0 0 Q-52 -2 -52 -14 Z', pen.round(colour)) + path('M-24 -138 v-26 h48 v26', 'none', `stroke="${darker(colour, 0.25)}" stroke-width="9"`) + rect(-9, -166, 18, 26, pen.round('#b99a4a')) + line('M6 -158 q60 -6 66 40 t44 50', '#d97f2e', 6) + oval(0, -70, 54, 5, darker(colour, 0.3), 'opacity=".4"')
}

export function oven(pen: Pen): string {
  const colour = pen.choice.pick(['#2c2f33', '#d4d6d8'])
  return boxes(pen, [{ width: 172, height: 98, depth: 84, colour, front: rect(8, 8, 116, 82, '#0d0f11', 'rx="4"') + rect(18, 18, 96, 62, pen.linear([[0, '#4b4438'], [1, '#1a1815']]), 'rx="3"') + rect(132, 12, 32, 14, '#0c2a1c') + times(9, (n) => rect(133 + (n % 3) * 11, 34 + Math.floor(n / 3) * 11, 8, 7, lighter(colour, 0.3), 'rx="1.5"')) + circle(148, 80, 8, '#a9aeb2') }], 0.24)
}

export function airConditioner(pen: Pen): string {
  return boxes({ ...pen, turn: pen.turn * 0.5 }, [{ width: 232, height: 70, depth: 44, colour: '#f1f1ee', front: rect(0, 46, 232, 3, '#b9bdbf') + times(3, (n) => line(`M10 ${53 + n * 5} H222`, '#8f9599', 1.6)) + rect(178, 14, 40, 9, '#c9d3d8', 'rx="3"') + circle(24, 20, 3, '#3ecf7a'), at: [0, 96, 0] }], -0.12) + line('M104 -100 q26 10 20 60 t10 60', '#e6e3db', 7)
}

export function fan(pen: Pen): string {
  const cage = times(24, (n) => `<path d="M0 0 L0 -58" stroke="#c9ced2" stroke-width="1" transform="translate(0 -140) rotate(${n * 15})" opacity=".8"/>`)
  const blade = (angle: number) => `<path d="M0 0 Q30 -14 22 -50 Q-10 -54 -12 -14 Z" fill="${pen.main}" opacity=".9" transform="translate(0 -140) rotate(${angle})"/>`
  return oval(0, -3, 52, 9, pen.body('#3a3d42')) + rect(-5, -104, 10, 100, pen.round('#8f959b')) + rect(-14, -98, 28, 22, pen.round(pen.main), 'rx="5"') + circle(0, -140, 61, '#22252a', 'opacity=".25"') + each([20, 140, 260], blade) + cage + each([61, 44, 26], (r) => circle(0, -140, r, 'none', 'stroke="#d3d8dc" stroke-width="2"')) + circle(0, -140, 12, pen.body())
}

export function solarPanel(pen: Pen): string {
  const cells = times(24, (n) => rect(5 + (n % 4) * 37, 5 + Math.floor(n / 4) * 28, 35, 26, pen.linear([[0, '#31508f'], [0.5, '#1b2d5a'], [1, '#2a4580']], 40)) + line(`M${22 + (n % 4) * 37} ${5 + Math.floor(n / 4) * 28} v26`, '#93a7d1', 0.6))
  return `<g transform="matrix(1 -.06 -.16 .98 -62 -186)">${rect(0, 0, 156, 176, '#c9ced3')}${cells}${path('M0 0 L90 0 L20 176 L0 176z', '#ffffff', 'opacity=".12"')}</g>` + boxes(pen, [{ width: 74, height: 62, depth: 40, colour: '#33363b', front: rect(8, 8, 58, 24, '#e9ece8', 'rx="2"') + rect(12, 12, 50, 5, '#3f8a57') + circle(18, 46, 4, '#c0392b') + circle(52, 46, 4, '#222') , at: [98, 0, -20] }], 0.26) + line('M70 -30 q-30 20 -60 -4', '#b0291f', 3)
}

export function generator(pen: Pen): string {
  const colour = pen.choice.pick(['#c9402f', '#d9a11f', '#2f5f9f'])
  return line('M-104 -2 V-124 H104 V-2 M-104 -30 H104', '#26282c', 9) + boxes(pen, [{ width: 150, height: 62, depth: 80, colour: '#3a3d42', front: rect(82, 10, 58, 42, '#d7dadc', 'rx="3"') + circle(98, 26, 8, '#17181a') + circle(122, 26, 8, '#17181a') + times(8, (n) => line(`M12 ${14 + n * 5} h56`, '#6d7278', 2)), at: [0, 12, 0] }, { width: 172, height: 34, depth: 84, colour, front: circle(30, 12, 8, '#1c1d1f'), at: [0, 78, 0] }], 0.3) + circle(-92, -12, 13, '#18191b') + circle(92, -12, 13, '#18191b')
}

export function battery(pen: Pen): string {
  return boxes(pen, [{ width: 176, height: 104, depth: 84, colour: '#25292f', front: rect(12, 20, 152, 60, pen.body()) + rect(22, 32, 90, 9, '#ffffff', 'opacity=".85" rx="2"') + rect(22, 48, 60, 6, '#ffffff', 'opacity=".6" rx="2"') }, { width: 22, height: 9, depth: 22, colour: '#b0291f', at: [-62, 104, 0] }, { width: 22, height: 9, depth: 22, colour: '#1c6fb0', at: [62, 104, 0] }], 0.36)
}

export function iron(pen: Pen): string {
  return path('M-124 -14 Q-60 -74 66 -78 L112 -14 Z', pen.body()) + path('M-128 -14 H116 V-4 Q0 2 -128 -6 Z', pen.linear([[0, '#e8ebed'], [1, '#8d949a']])) + path('M-66 -62 Q-40 -128 66 -112 Q92 -106 84 -76', 'none', `stroke="${darker(pen.main, 0.3)}" stroke-width="17"`) + circle(26, -46, 14, '#1e2024', 'stroke="#c9ced2" stroke-width="2"') + line('M92 -96 q50 -20 56 40 t30 50', '#25272b', 4)
}

export function blender(pen: Pen): string {
  return path('M-46 -190 H46 L36 -74 H-36 Z', pen.linear([[0, '#dfeaee', 0.9], [0.4, '#a9bfc8', 0.75], [1, '#eef4f6', 0.85]], 0)) + path('M-40 -130 H40 L36 -78 H-36 Z', pen.choice.pick(['#e08a2e', '#c0392b', '#7fae4d', '#e9d27a']), 'opacity=".75"') + rect(-48, -200, 96, 14, pen.main, 'rx="5"') + path('M-40 -74 H40 L56 -6 Q0 4 -56 -6 Z', pen.round()) + circle(0, -34, 12, '#d9dde0', 'stroke="#51565b" stroke-width="2"') + path('M46 -172 q34 8 28 46 q-4 30 -34 32', 'none', 'stroke="#9fb4bd" stroke-width="9"')
}

export function printer(pen: Pen): string {
  const colour = pen.choice.pick(['#2d3035', '#dfe0dd'])
  return path('M-70 -98 L-58 -160 H66 L70 -98 Z', '#f6f5f0') + boxes(pen, [{ width: 196, height: 74, depth: 104, colour, front: rect(16, 40, 164, 20, '#0d0e10', 'rx="3"') + rect(26, 48, 144, 9, '#f4f2ec') + rect(126, 8, 56, 22, lighter(colour, 0.2), 'rx="3"') + rect(132, 12, 28, 13, '#4f8fb8') + times(3, (n) => circle(168 + n * 6, 18, 2, '#6fd08a')) }, { width: 184, height: 22, depth: 92, colour: lighter(colour, 0.08), at: [0, 74, 4] }], 0.3)
}

export function projector(pen: Pen): string {
  const colour = pen.choice.pick(['#e4e4e1', '#2f3237'])
  return boxes(pen, [{ width: 190, height: 62, depth: 120, colour, front: circle(50, 31, 24, '#191b1f') + circle(50, 31, 17, pen.radial([[0, '#7d97c4'], [0.5, '#232a3b'], [1, '#07080b']])) + times(9, (n) => line(`M${104 + n * 8} 14 V48`, darker(colour, 0.5), 2.4)) }], 0.34)
}

export function dish(pen: Pen): string {
  return oval(-24, -122, 78, 70, pen.linear([[0, '#eef0f0'], [0.6, '#b7bdc1'], [1, '#7c8388']], 50)) + oval(-30, -126, 60, 54, '#d5d9db', 'opacity=".6"') + line('M-24 -122 L62 -96 M-70 -70 L62 -96', '#7f868c', 5) + rect(54, -108, 24, 20, '#3a3d42', 'rx="4"') + line('M-24 -56 V-6 M-60 -4 H16', '#6d7379', 8) + boxes(pen, [{ width: 96, height: 24, depth: 54, colour: '#24262a', front: rect(10, 8, 34, 9, '#27d07d', 'opacity=".8"') + circle(80, 12, 4, '#666'), at: [96, 0, -20] }], 0.36)
}
