import { circle, each, line, oval, type Pen, path, rect, times } from '../pen.ts'
import { boxes } from '../solid.ts'
import { darker, lighter } from '../tints.ts'

/** Music, cameras and what makes light and sound. */
const cone = (pen: Pen, x: number, y: number, r: number) => circle(x, y, r, '#0d0e10') + circle(x, y, r * 0.9, pen.radial([[0, '#4b4f55'], [0.55, '#26292d'], [1, '#0c0d0f']])) + circle(x, y, r * 0.34, pen.radial([[0, '#8a9097'], [1, '#1b1d20']], 0.35, 0.3)) + circle(x, y, r, 'none', 'stroke="#70767d" stroke-width="2"')

export function speaker(pen: Pen): string {
  return boxes({ ...pen, turn: pen.turn * 0.8 }, [{ width: 108, height: 192, depth: 84, colour: '#1f2125', front: cone(pen, 54, 132, 44) + cone(pen, 54, 50, 25) + times(4, (n) => circle(n % 2 ? 98 : 10, n < 2 ? 10 : 182, 3, '#555b61')) }], 0.16)
}

export function portableSpeaker(pen: Pen): string {
  return rect(-118, -96, 236, 92, pen.body(), 'rx="44"') + times(96, (n) => circle(-78 + (n % 16) * 10.4, -82 + Math.floor(n / 16) * 12.6, 3, darker(pen.main, 0.5))) + each([-104, 104], (x) => oval(x, -50, 16, 38, pen.radial([[0, '#5c626a'], [0.6, '#26292e'], [1, '#101113']]))) + path('M-40 -96 Q0 -140 44 -96', 'none', 'stroke="#25272b" stroke-width="7"') + rect(-24, -32, 48, 9, lighter(pen.main, 0.5), 'rx="4" opacity=".8"')
}

export function hifi(pen: Pen): string {
  return boxes(pen, [{ width: 66, height: 132, depth: 62, colour: '#26201c', front: cone(pen, 33, 92, 26) + cone(pen, 33, 36, 16), at: [-112, 0, 0] }, { width: 66, height: 132, depth: 62, colour: '#26201c', front: cone(pen, 33, 92, 26) + cone(pen, 33, 36, 16), at: [112, 0, 0] }, { width: 136, height: 78, depth: 70, colour: '#2b2d31', front: rect(12, 10, 112, 22, '#0b2a33') + times(22, (n) => rect(16 + n * 4.8, 28 - pen.choice.between(3, 14), 3, 14, '#38d0c9', 'opacity=".7"')) + circle(110, 54, 14, '#c9cdd1') + times(6, (n) => rect(14 + n * 13, 48, 9, 9, '#85898e', 'rx="2"')) }], 0.2)
}

export const soundbar = (pen: Pen): string => boxes({ ...pen, turn: pen.turn * 0.4 }, [{ width: 250, height: 28, depth: 34, colour: '#202226', front: times(60, (n) => circle(8 + (n % 30) * 8.1, 9 + Math.floor(n / 30) * 10, 2.6, '#0b0c0d')) }, { width: 70, height: 92, depth: 70, colour: '#1a1c1f', front: cone(pen, 35, 52, 26), at: [96, 0, 60] }], 0.3)

export function guitar(pen: Pen): string {
  const timber = pen.choice.pick(['#b9762f', '#8f4a22', '#d79a4a', '#2c211b'])
  return `<g transform="translate(0 -92) rotate(-58)">${path('M-128 0 Q-130 -54 -84 -50 Q-58 -46 -42 -30 Q-14 -44 4 -34 Q26 -20 26 0 Q26 20 4 34 Q-14 44 -42 30 Q-58 46 -84 50 Q-130 54 -128 0 Z', pen.body(timber), 'stroke="#3a2414" stroke-width="3"')}${circle(-34, 0, 19, '#17100b', 'stroke="#d9b98a" stroke-width="3"')}${rect(-104, -15, 10, 30, '#2b1a10')}${rect(-20, -9, 146, 18, '#3a2416')}${times(10, (n) => line(`M${20 + n * 10} -9 V9`, '#b9a57a', 1.2))}${rect(126, -14, 38, 28, timber)}${times(6, (n) => line(`M-99 ${-7 + n * 2.8} H130`, '#efe9da', 0.7))}${times(6, (n) => circle(134 + (n % 3) * 11, n < 3 ? -17 : 17, 4, '#d9d9d6'))}</g>`
}

export function keyboard(pen: Pen): string {
  const white = times(22, (n) => rect(6 + n * 10.8, 34, 10.2, 44, '#f4f2ec', 'stroke="#777" stroke-width=".5"'))
  const black = times(22, (n) => (n % 7 === 2 || n % 7 === 6 ? '' : rect(13 + n * 10.8, 34, 6.6, 26, '#141518')))
  return boxes({ ...pen, turn: pen.turn * 0.4 }, [{ width: 250, height: 22, depth: 84, colour: '#24262a', top: rect(20, 6, 60, 16, '#8fd0c0') + times(12, (n) => rect(96 + n * 11, 10, 7, 7, '#6d7278')) + white + black }], 0.85)
}

export function drum(pen: Pen): string {
  return path('M-72 -150 Q-70 -84 -30 -62 L-46 0 H46 L30 -62 Q70 -84 72 -150 Z', pen.round('#7a4523')) + oval(0, -150, 72, 22, pen.linear([[0, '#efe2c6'], [1, '#c9b083']])) + times(12, (n) => line(`M${-70 + n * 12.6} ${-146 + 10 * Math.sin((n / 11) * 3.14)} L${-62 + n * 11.4} -92 L${-58 + n * 11} -146`, '#e9e2cf', 1.4)) + line('M-71 -138 Q0 -112 71 -138 M-58 -94 Q0 -74 58 -94', '#2f5f8f', 5) + path('M-26 -52 h52 l4 18 h-60z', pen.choice.pick(['#c9402f', '#d9a441', '#2f6a5a']))
}

export function balafon(pen: Pen): string {
  return line('M-130 -36 H130 M-118 -12 H120', '#5b3a20', 8) + times(14, (n) => oval(-112 + n * 17.4, -26, 10, 15, pen.round('#b9803f'))) + times(15, (n) => rect(-124 + n * 16.8, -92 + Math.abs(n - 7) * 1.6, 13, 52, pen.body('#8a5528'), 'rx="3"')) + line('M-40 -120 L10 -60 M60 -126 L20 -62', '#6b4525', 4) + circle(-42, -122, 8, '#2f2a26') + circle(62, -128, 8, '#2f2a26')
}

export function headphones(pen: Pen): string {
  return path('M-82 -74 Q-86 -186 0 -188 Q86 -186 82 -74', 'none', `stroke="${darker(pen.main, 0.1)}" stroke-width="15"`) + path('M-70 -120 Q-62 -174 0 -176', 'none', 'stroke="#ffffff" stroke-width="4" opacity=".3"') + each([-1, 1], (side) => `<g transform="scale(${side} 1)">${path('M56 -104 Q104 -112 106 -62 Q104 -14 56 -20 Z', pen.body())}${path('M46 -104 Q64 -108 64 -62 Q64 -16 46 -20 Q36 -62 46 -104 Z', '#191b1e')}</g>`) + line('M-84 -18 q-10 24 20 18', '#1c1e21', 3)
}

export function mixer(pen: Pen): string {
  return boxes({ ...pen, turn: pen.turn * 0.6 }, [{ width: 220, height: 18, depth: 150, colour: '#2a2d32', top: times(8, (n) => times(4, (k) => circle(18 + n * 26, 16 + k * 18, 6, ['#d9dcdf', '#3f8ad0', '#d0a53f', '#c9483a'][k] ?? '#999') + line(`M${18 + n * 26} ${16 + k * 18} v-5`, '#17181b', 1.6)) + line(`M${18 + n * 26} 92 V142`, '#0c0d0e', 4) + rect(11 + n * 26, 100 + pen.choice.between(0, 28), 14, 9, '#e9e7e1', 'rx="2"')) }], 0.95)
}

export function microphone(pen: Pen): string {
  return `<g transform="translate(0 -84) rotate(34)">${path('M-15 -34 H15 L10 96 H-10 Z', pen.round('#2b2d31'))}${circle(0, -58, 31, pen.radial([[0, '#f0f2f4'], [0.5, '#9aa1a8'], [1, '#3d4247']], 0.35, 0.3))}${times(7, (n) => line(`M${-26 + n * 8.6} -78 V-38`, '#555b61', 1))}${times(5, (n) => line(`M-29 ${-76 + n * 9} H29`, '#555b61', 1))}${rect(-20, -34, 40, 8, '#c9cdd1', 'rx="3"')}</g>` + line('M-66 -6 q-40 12 -70 -10', '#1d1f22', 5)
}

export function camera(pen: Pen): string {
  return rect(-40, -156, 62, 30, pen.body('#2a2c30'), 'rx="7"') + rect(-112, -134, 224, 126, pen.body('#26282c'), 'rx="16"') + rect(-112, -108, 224, 66, '#1a1c1f') + circle(4, -70, 58, '#101113') + circle(4, -70, 52, '#2c2f34') + times(30, (n) => `<rect x="2.6" y="-126" width="2.8" height="10" fill="#0c0d0e" transform="rotate(${n * 12} 4 -70)"/>`) + circle(4, -70, 38, pen.radial([[0, '#8a6fb0'], [0.35, '#2a3b6b'], [0.75, '#0c1020'], [1, '#000']], 0.4, 0.35)) + circle(-8, -84, 9, '#ffffff', 'opacity=".5"') + circle(82, -140, 11, '#5b6067') + rect(-102, -142, 28, 10, '#c0392b', 'rx="3"') + rect(70, -122, 30, 9, '#c9cdd1', 'rx="2"')
}

export function lens(pen: Pen): string {
  return boxes({ ...pen, turn: 0.3 }, [], 0.3) + rect(-46, -170, 92, 160, pen.round('#26282c'), 'rx="8"') + each([-130, -84, -44], (y) => rect(-49, y, 98, 24, pen.round('#15161a')) + times(20, (n) => line(`M${-46 + n * 4.8} ${y + 2} v20`, '#000', 1, 'opacity=".6"'))) + oval(0, -170, 46, 13, '#0b0c0e') + oval(0, -170, 36, 9, pen.radial([[0, '#6f5aa0'], [0.5, '#1d2a4d'], [1, '#05070b']])) + rect(-48, -24, 96, 6, '#b0392b')
}

export function drone(pen: Pen): string {
  return each([[-104, -78], [104, -78], [-84, -24], [84, -24]] as const, ([x, y]) => line(`M0 -58 L${x} ${y}`, '#33373c', 9) + circle(x, y - 8, 9, '#22252a') + oval(x, y - 18, 52, 6, '#9aa1a8', 'opacity=".5"')) + path('M-46 -78 Q0 -98 46 -78 L40 -40 Q0 -28 -40 -40 Z', pen.body('#d9dcde')) + circle(0, -40, 13, '#17181b') + circle(0, -40, 7, '#3b5a8f') + line('M-30 -36 l-14 32 M30 -36 l14 32', '#50565c', 5)
}

export function securityCamera(pen: Pen): string {
  return rect(-18, -190, 36, 14, '#d9dbdb') + line('M0 -176 V-134', '#b9bdc0', 13) + `<g transform="translate(0 -112) rotate(14)">${rect(-92, -36, 176, 66, pen.round('#ecece9'), 'rx="22"')}${rect(-104, -44, 176, 16, '#d0d3d4', 'rx="8"')}${circle(84, -3, 29, '#1a1c1f')}${circle(84, -3, 18, pen.radial([[0, '#7a93c4'], [0.6, '#131a2b'], [1, '#000']]))}</g>`
}

export function tripod(pen: Pen): string {
  return line('M0 -130 L-74 0 M0 -130 L74 0 M0 -130 L6 -4', '#24262a', 8) + line('M-38 -66 H38', '#50565c', 4) + rect(-8, -160, 16, 40, pen.round('#3a3d42')) + `<g transform="translate(0 -146) scale(.46)">${camera(pen)}</g>`
}
