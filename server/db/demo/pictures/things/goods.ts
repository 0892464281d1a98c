import { at, circle, each, line, oval, type Pen, path, rect, times } from '../pen.ts'
import { boxes } from '../solid.ts'
import { darker, lighter, mixed } from '../tints.ts'

/** Jars, sacks, toys, tools: what fits nowhere else. */
export function jar(pen: Pen): string {
  const cream = pen.choice.pick(['#f1e6c4', '#efe3d3', '#f6f0e2', '#d9b46a'])
  return rect(-64, -96, 128, 92, pen.round(cream), 'rx="14"') + rect(-68, -122, 136, 32, pen.round(pen.choice.pick(['#7a4e2a', '#3a3d42', '#c9a13b', '#2f6a4a'])), 'rx="7"') + rect(-52, -76, 104, 48, '#fdfbf5', 'opacity=".9"') + oval(0, -52, 18, 14, mixed(pen.main, '#6b8f3a', 0.5)) + line('M-40 -36 H40', '#8a7a5c', 2)
}

export function bottles(pen: Pen): string {
  const one = (x: number, height: number, colour: string) => at(x, 0, rect(-25, -height, 50, height, pen.round(colour), 'rx="12"') + rect(-12, -height - 26, 24, 28, pen.round('#2d2f33'), 'rx="4"') + rect(-19, -height * 0.72, 38, height * 0.46, '#fbf9f3', 'opacity=".92"') + rect(-12, -height * 0.62, 24, 6, colour) + line(`M-12 ${-height * 0.48} h24 m-24 8 h18`, '#8d8a82', 1.6))
  return one(-62, 128, pen.main) + one(2, 150, pen.choice.pick(['#d9a441', '#e8e0d2', '#7a9a6b', '#c97b8f'])) + one(64, 108, pen.choice.pick(['#efe9de', '#8f6fb0', '#5b8fa8', '#b5633a']))
}

export function perfume(pen: Pen): string {
  return boxes({ ...pen, turn: pen.turn * 0.6 }, [{ width: 84, height: 150, depth: 40, colour: pen.choice.pick(['#20222a', '#e9e2d2', '#5a1f2a']), front: rect(14, 40, 56, 52, '#c9a13b', 'opacity=".75"'), at: [62, 0, 30] }], 0.16) + rect(-108, -104, 104, 100, pen.linear([[0, lighter(pen.main, 0.6), 0.9], [0.5, pen.main, 0.85], [1, darker(pen.main, 0.2), 0.95]], 20), 'rx="12" stroke="#ffffff" stroke-opacity=".5" stroke-width="3"') + rect(-76, -142, 40, 38, pen.round('#c9a13b'), 'rx="4"') + rect(-90, -72, 68, 34, '#ffffff', 'opacity=".75"') + line('M-98 -92 V-20', '#ffffff', 5, 'opacity=".5"')
}

export function wig(pen: Pen): string {
  const hair = pen.choice.pick(['#17120f', '#2b1c14', '#4a2c1a'])
  const strands = times(52, (n) => { const x = -60 + n * 2.4; return line(`M${x * 0.5} -178 Q${x * 1.5} -120 ${x * 1.3 + pen.choice.between(-8, 8)} ${-18 + pen.choice.between(-16, 12)}`, n % 3 ? hair : lighter(hair, 0.22), 2.6, 'opacity=".8"') })
  return oval(0, -120, 40, 54, '#d9c4ad') + rect(-15, -74, 30, 70, '#d0baa3') + oval(0, -4, 60, 11, '#c4b09a') + path('M-72 -20 Q-86 -190 0 -192 Q86 -190 72 -20 Q52 -10 44 -60 Q48 -130 30 -148 Q0 -160 -30 -148 Q-48 -130 -44 -60 Q-52 -10 -72 -20 Z', hair) + strands
}

export function makeup(pen: Pen): string {
  const shades = ['#8f2a3a', '#c96a7a', '#d9a58a', '#7a4a2e', '#b5803f', '#5a3a6b', '#e0b89a', '#a33b2a', '#3f2a22', '#d98ba5', '#caa24a', '#6d5a4a']
  return boxes({ ...pen, turn: pen.turn * 0.4 }, [{ width: 176, height: 12, depth: 116, colour: '#1c1a1c', top: shades.map((shade, n) => rect(10 + (n % 4) * 41, 8 + Math.floor(n / 4) * 35, 34, 29, shade, 'rx="4"')).join('') }], 0.95) + each([96, 120], (x) => rect(x - 9, -70, 18, 66, pen.round('#22201f'), 'rx="3"') + path(`M${x - 7} -70 V-98 Q${x} -108 ${x + 7} -92 V-70z`, pen.round(x > 100 ? pen.main : '#b0263f')))
}

export function clipper(pen: Pen): string {
  return `<g transform="translate(0 -86) rotate(24)">${path('M-30 -84 H30 L38 60 Q30 92 0 94 Q-30 92 -38 60 Z', pen.body('#26282c'))}${rect(-34, -100, 68, 20, '#c9cdd1')}${times(13, (n) => line(`M${-31 + n * 5.2} -112 V-98`, '#8d9399', 2.4))}${rect(-9, -20, 18, 40, pen.main, 'rx="8"')}</g>` + line('M54 -18 q50 30 90 -10', '#1c1e21', 6)
}

export function salonChair(pen: Pen): string {
  return oval(0, -6, 62, 11, pen.body('#b9bec3')) + rect(-8, -66, 16, 60, pen.round('#a9aeb3')) + boxes(pen, [{ width: 110, height: 28, depth: 90, colour: pen.main, at: [0, 62, 0] }, { width: 106, height: 104, depth: 20, colour: pen.main, front: line('M20 20 H86 M20 50 H86 M20 80 H86', darker(pen.main, 0.35), 2), at: [0, 90, 40] }, { width: 14, height: 34, depth: 80, colour: '#2a2c30', at: [-60, 70, 0] }, { width: 14, height: 34, depth: 80, colour: '#2a2c30', at: [60, 70, 0] }], 0.3)
}

/** Sacks of grain or flour. */
export function sacks(pen: Pen): string {
  const one = (x: number, y: number, size: number) => `<g transform="translate(${x} ${y}) scale(${size})">${path('M-52 -8 Q-66 -80 -46 -142 Q-20 -156 0 -148 Q24 -158 46 -142 Q66 -80 52 -8 Q0 8 -52 -8 Z', pen.round(pen.choice.pick(['#dccfae', '#efe9da', '#cdb98c'])))}${rect(-34, -104, 68, 46, pen.choice.pick(['#2f6a8f', '#3f8a57', '#b0402f']), 'opacity=".55"')}${path('M-46 -142 q20 -14 46 -6 q26 -10 46 6 q-20 8 -46 4 q-24 4 -46 -4z', '#b9a272')}${line('M-30 -130 Q-40 -70 -30 -10 M26 -134 Q38 -70 28 -8', '#8d7a50', 1.6, 'opacity=".5"')}</g>`
  return one(-64, -4, 0.9) + one(54, -8, 0.95) + one(-4, 4, 1)
}

export function jerrycans(pen: Pen): string {
  const one = (x: number, y: number, colour: string) => at(x, y, path('M-36 -2 V-86 L-26 -100 H20 L36 -84 V-2 Z', pen.round(colour)) + rect(-30, -116, 20, 18, pen.round(darker(colour, 0.3))) + path('M-4 -100 h22 l12 12 v10 h-34z', 'none', `stroke="${darker(colour, 0.3)}" stroke-width="5"`) + line('M-28 -70 L28 -20 M28 -70 L-28 -20', darker(colour, 0.2), 3))
  return times(3, (n) => one(-76 + n * 76, -72, pen.choice.pick(['#e2b52f', '#e9c95a', '#3f78b0']))) + times(4, (n) => one(-108 + n * 74, 0, pen.choice.pick(['#e2b52f', '#e9c95a', '#d9a32a'])))
}

export function sewingMachine(pen: Pen): string {
  const colour = pen.choice.pick(['#1c1d20', '#e9e6dd', '#2f4f7a'])
  return rect(-128, -38, 256, 32, pen.body('#7a4e2e'), 'rx="3"') + path('M-104 -38 V-58 H-40 L-34 -104 H56 V-38 H116 V-150 Q116 -164 100 -164 H-70 Q-104 -162 -104 -132 V-96 H-72 V-122 H56', pen.body(colour), 'fill-rule="evenodd"') + circle(128, -128, 26, pen.round(darker(colour, 0.2)), 'stroke="#c9a13b" stroke-width="3"') + line('M-88 -96 V-50', '#c9cdd1', 4) + rect(-100, -54, 30, 5, '#c9cdd1') + line('M-30 -150 H80', '#c9a13b', 3) + rect(20, -186, 14, 24, pen.main)
}

export function machine(pen: Pen): string {
  return boxes(pen, [{ width: 190, height: 18, depth: 110, colour: '#33363b' }, { width: 84, height: 74, depth: 84, colour: pen.main, front: circle(42, 36, 27, '#1d1f22') + circle(42, 36, 19, '#565b61') + times(6, (n) => circle(42 + 23 * Math.cos(n), 36 + 23 * Math.sin(n), 2.4, '#c9cdd1')), at: [-46, 18, 0] }, { width: 70, height: 56, depth: 64, colour: '#4a4e54', front: times(7, (n) => line(`M6 ${8 + n * 7} h58`, '#1f2124', 2.4)), at: [56, 18, 0] }], 0.3) + path('M-104 -128 H14 L-14 -92 H-74 Z', pen.body(darker(pen.main, 0.15))) + path('M-104 -128 L-116 -150 H26 L14 -128 Z', pen.round('#9aa0a6'))
}

export function pump(pen: Pen): string {
  return rect(-40, -150, 80, 130, pen.round('#b9bec3'), 'rx="12"') + rect(-46, -166, 92, 22, pen.round(pen.main), 'rx="6"') + rect(-14, -190, 28, 28, pen.round('#7d838a')) + line('M14 -178 q80 -10 84 60 t40 90', '#2f5f9f', 9) + times(6, (n) => line(`M-34 ${-132 + n * 18} H34`, '#6d7379', 2)) + rect(-46, -24, 92, 20, pen.round('#50565c'), 'rx="4"')
}

export function cart(pen: Pen): string {
  const timber = '#8f6238'
  return path('M-130 -66 H84 L76 -106 H-122 Z', pen.body(timber)) + times(5, (n) => line(`M-122 ${-72 - n * 8} H80`, darker(timber, 0.35), 1.4)) + line('M84 -74 L172 -40', darker(timber, 0.2), 8) + at(-28, -48, circle(0, 0, 47, '#1b1c1e') + circle(0, 0, 35, pen.main) + circle(0, 0, 26, '#3a3d42') + circle(0, 0, 8, '#c9cdd1'))
}

export function tarp(pen: Pen): string {
  return line('M-130 -4 V-128 M130 -4 V-128 M0 -8 V-170', '#9aa0a6', 6) + path('M-146 -122 L0 -182 L146 -122 Q110 -112 96 -122 Q72 -110 48 -124 Q24 -112 0 -126 Q-24 -112 -48 -124 Q-72 -110 -96 -122 Q-110 -112 -146 -122 Z', pen.body()) + path('M0 -182 L146 -122 Q110 -112 96 -122 Q72 -110 48 -124z', '#ffffff', 'opacity=".3"') + times(6, (n) => rect(-96 + n * 34, -34, 22, 32, '#e9e7e1', 'opacity=".85"'))
}

export function kiosk(pen: Pen): string {
  return boxes(pen, [{ width: 176, height: 150, depth: 100, colour: pen.main, front: rect(20, 34, 136, 62, '#231d19') + times(3, (n) => rect(22, 52 + n * 16, 132, 3, '#6b5846')) + times(22, (n) => rect(25 + (n % 11) * 12, 38 + Math.floor(n / 11) * 16, 8, 12, pen.choice.pick(['#c4412f', '#e2b23c', '#3f7fb0', '#ede7da', '#5b8f4a']))) + rect(16, 98, 144, 7, '#8a6a48'), side: times(7, (n) => line(`M${n * 15} 0 V150`, darker(pen.main, 0.4), 1.4)) }, { width: 196, height: 8, depth: 130, colour: '#8a9095', at: [0, 150, -8] }], 0.18)
}

export function scale(pen: Pen): string {
  return rect(-92, -40, 184, 36, pen.body('#dcdddb'), 'rx="7"') + rect(-40, -33, 80, 20, '#8fb59a') + line('M-28 -24 h40', '#1f3326', 5) + path('M-110 -62 H110 L96 -46 H-96 Z', pen.linear([[0, '#f1f3f4'], [1, '#9aa1a6']])) + rect(-6, -150, 12, 90, pen.round('#9aa1a6')) + rect(-56, -178, 112, 38, '#e9e9e6', 'rx="5"') + rect(-44, -170, 88, 20, '#8fb59a')
}

export function books(pen: Pen): string {
  return times(9, (n) => { const height = pen.choice.between(17, 27); return rect(-104 + pen.choice.between(-8, 10), -22 * n - 22, pen.choice.between(178, 204), height, pen.body(pen.choice.pick(['#8f2f2a', '#2f4f7a', '#d9c9a0', '#3f6a4a', '#6b4a7a', '#c98a3a', '#ece6d8'])), 'rx="2"') + rect(-70, -22 * n - 16, 60, 4, '#f3e9cf', 'opacity=".7"') })
}

export function statue(pen: Pen): string {
  const bronze = '#7d5a2e'
  return rect(-44, -24, 88, 20, pen.body('#3a2a1c')) + path('M-22 -24 Q-30 -80 -14 -110 Q-44 -100 -54 -60 L-62 -64 Q-54 -116 -14 -128 Q-22 -160 0 -170 Q22 -160 14 -128 Q54 -116 62 -64 L54 -60 Q44 -100 14 -110 Q30 -80 22 -24 Z', pen.round(bronze)) + path('M-10 -150 Q0 -190 18 -196 Q10 -176 12 -154z', pen.round(bronze)) + line('M-6 -110 Q-12 -70 -10 -28', lighter(bronze, 0.6), 3, 'opacity=".6"')
}

export function ball(pen: Pen): string {
  const basket = pen.choice.chance(0.4)
  return basket ? circle(0, -84, 82, pen.radial([[0, '#f0a25a'], [0.6, '#c9682a'], [1, '#6b3210']], 0.38, 0.3)) + line('M-82 -84 H82 M0 -166 V-2 M-58 -142 Q-20 -84 -58 -26 M58 -142 Q20 -84 58 -26', '#23180f', 3) : circle(0, -84, 82, pen.radial([[0, '#ffffff'], [0.6, '#dfe2e4'], [1, '#7f868c']], 0.38, 0.3)) + each([[0, -84, 26], [-58, -114, 18], [58, -114, 18], [-38, -36, 18], [38, -36, 18], [0, -152, 15]] as const, ([x, y, r]) => path(times(5, (n) => `${n ? 'L' : 'M'}${(x + r * Math.sin(n * 1.2566)).toFixed(1)} ${(y - r * Math.cos(n * 1.2566)).toFixed(1)} `) + 'Z', '#1f2125')) + line('M0 -110 V-137 M-25 -92 L-42 -106 M25 -92 L42 -106 M-16 -64 L-28 -50 M16 -64 L28 -50', '#5b6067', 1.6)
}

export function dumbbells(pen: Pen): string {
  const one = (y: number, tilt: number) => `<g transform="translate(0 ${y}) rotate(${tilt})">${rect(-56, -7, 112, 14, pen.round('#c3c8cc'), 'rx="6"')}${each([-1, 1], (side) => rect(side * 62 - 12, -40, 24, 80, pen.round('#24262a'), 'rx="6"') + rect(side * 84 - 9, -30, 18, 60, pen.round(pen.main), 'rx="5"'))}</g>`
  return one(-104, -8) + one(-44, 5)
}

export function gymBench(pen: Pen): string {
  return line('M-96 -4 L-60 -66 M-30 -4 L-50 -66 M70 -4 V-62 M110 -4 H40 M-110 -4 H-20', '#2a2c30', 9) + rect(-104, -80, 210, 20, pen.body(), 'rx="8"') + line('M-88 -70 V-176 M-34 -70 V-176', '#3a3d42', 8) + line('M-150 -166 H40', '#c3c8cc', 7) + each([-140, -122, 22, 40], (x) => rect(x - 6, -204, 12, 76, '#24262a', 'rx="4"'))
}

export function treadmill(pen: Pen): string {
  return path('M-128 -4 L96 -34 L110 -18 L-110 6 Z', '#1c1e21') + path('M-116 -10 L84 -36 L88 -32 L-108 -6z', '#3a3d42') + line('M84 -30 L60 -176 M104 -24 L84 -172', '#8d9399', 8) + line('M60 -120 L0 -112', '#24262a', 8) + path('M40 -198 L104 -188 L96 -164 L34 -172 Z', pen.main) + path('M50 -190 L92 -184 L88 -172 L46 -178 Z', '#3fb0a0')
}

export function tent(pen: Pen): string {
  return path('M-150 0 L-60 -150 L120 -130 L160 0 Z', pen.body()) + path('M-150 0 L-60 -150 L-10 0 Z', pen.linear([[0, lighter(pen.main, 0.3)], [1, darker(pen.main, 0.1)]])) + path('M-92 0 L-62 -120 L-40 0 Z', '#1d1f22', 'opacity=".75"') + line('M-60 -150 L-186 6 M120 -130 L196 4', '#d9d4c6', 1.6)
}

export function cooler(pen: Pen): string {
  return boxes(pen, [{ width: 168, height: 86, depth: 100, colour: pen.main, front: rect(20, 20, 128, 44, lighter(pen.main, 0.2), 'rx="6"') }, { width: 176, height: 22, depth: 108, colour: '#eeede8', at: [0, 86, 0] }], 0.32) + path('M-84 -96 Q-80 -160 0 -158 Q84 -156 84 -100', 'none', 'stroke="#e9e7e0" stroke-width="8"')
}

export function gloves(pen: Pen): string {
  const one = (x: number, flip: number) => `<g transform="translate(${x} 0) scale(${flip} 1)">${path('M-30 -4 L-34 -70 Q-66 -92 -56 -128 Q-40 -176 14 -164 Q54 -148 44 -92 Q42 -70 30 -64 L30 -4 Z', pen.body())}${path('M-50 -110 Q-74 -80 -44 -60 Q-30 -70 -34 -92z', pen.body(darker(pen.main, 0.2)))}${rect(-34, -44, 66, 30, '#f1efe9')}</g>`
  return one(-52, 1) + one(52, -1)
}

export function pingPong(pen: Pen): string {
  return boxes(pen, [{ width: 230, height: 7, depth: 120, colour: '#1f5f8f', top: line('M0 60 H230 M2 2 H228 V118 H2z', '#f4f4f0', 2), at: [0, 74, 0] }, { width: 4, height: 20, depth: 124, colour: '#e9e9e6', at: [0, 81, 0] }, ...[-100, 100].flatMap((x) => [-48, 48].map((z) => ({ width: 7, height: 74, depth: 7, colour: '#3a3d42', at: [x, 0, z] as const })))], 0.4)
}

export function stroller(pen: Pen): string {
  return line('M-70 -26 L40 -128 L96 -186 M60 -24 L-30 -110', '#3a3d42', 7) + path('M-88 -128 Q-80 -60 -10 -56 Q56 -60 60 -122 Z', pen.body()) + path('M-88 -128 Q-86 -196 -14 -198 Q10 -196 -6 -128 Z', pen.body(darker(pen.main, 0.12))) + line('M-82 -150 Q-50 -160 -8 -150 M-70 -176 Q-44 -186 -10 -172', darker(pen.main, 0.4), 2) + each([-76, 64], (x) => circle(x, -22, 22, '#1d1f22') + circle(x, -22, 13, '#9aa0a6') + circle(x, -22, 5, '#33363b')) + line('M84 -192 L112 -180', '#1d1f22', 10)
}

export function cot(pen: Pen): string {
  const bars = times(15, (n) => rect(6 + n * 12.4, 8, 5, 84, '#efe8da'))
  const timber = pen.choice.pick(['#e9e2d2', '#b98a58', '#7a4e2e'])
  return boxes(pen, [{ width: 190, height: 96, depth: 6, colour: darker(timber, 0.5), front: times(15, (n) => rect(6 + n * 12.4, 8, 5, 84, timber)), at: [0, 24, 50] }, { width: 184, height: 20, depth: 96, colour: '#e9eef2', top: rect(0, 40, 184, 56, pen.main, 'opacity=".7"'), at: [0, 40, 0] }, { width: 190, height: 96, depth: 6, colour: '#00000000', front: bars.replaceAll('#efe8da', timber) + rect(0, 0, 190, 8, timber) + rect(0, 90, 190, 6, timber), at: [0, 24, -50] }, ...[-92, 92].flatMap((x) => [-50, 50].map((z) => ({ width: 9, height: 126, depth: 9, colour: timber, at: [x, 0, z] as const })))], 0.3)
}

export function toys(pen: Pen): string {
  const block = (x: number, y: number, colour: string) => boxes({ ...pen, turn: pen.choice.between(-0.7, 0.7) || 0.3 }, [{ width: 46, height: 46, depth: 46, colour, front: circle(23, 23, 12, lighter(colour, 0.5)), at: [0, 0, 0] }], 0.4).replace(/^/, `<g transform="translate(${x} ${y})">`) + '</g>'
  return block(-84, 0, '#d0483a') + block(-22, 6, '#3f7fc0') + block(40, 0, '#e0b23a') + block(-50, -48, '#4fa05a') + block(8, -46, '#8f5ab0') + `<g transform="translate(96 0)">${circle(0, -34, 34, pen.radial([[0, '#f4a6b8'], [1, '#c04a6b']], 0.35, 0.3))}${path('M-34 -34 Q0 -54 34 -34', 'none', 'stroke="#ffffff" stroke-width="7" opacity=".8"')}</g>`
}

export function kidCar(pen: Pen): string {
  return path('M-126 -30 Q-130 -74 -96 -80 L-52 -84 Q-44 -120 -14 -122 L10 -82 L92 -78 Q128 -70 126 -30 Z', pen.body()) + path('M-44 -86 Q-36 -112 -16 -114 L0 -84 Z', '#cfe3ec', 'opacity=".85"') + each([-76, 78], (x) => circle(x, -28, 30, '#1b1c1e') + circle(x, -28, 16, '#d9dcde')) + circle(118, -58, 8, '#fff3c4') + rect(-126, -44, 250, 6, darker(pen.main, 0.4))
}

export function highChair(pen: Pen): string {
  return line('M-56 -4 L-34 -110 M56 -4 L34 -110 M-44 -40 H44', '#d9dcde', 7) + path('M-40 -110 H40 L46 -190 Q0 -204 -46 -190 Z', pen.body()) + rect(-52, -122, 104, 20, pen.body(), 'rx="9"') + path('M-70 -134 H70 L60 -120 H-60 Z', '#f4f3ee')
}

export function cartons(pen: Pen): string {
  return boxes(pen, [{ width: 130, height: 96, depth: 96, colour: '#c09a68', front: rect(18, 24, 60, 40, pen.main, 'opacity=".8"') + rect(58, 0, 14, 20, '#e3d2b0'), top: rect(0, 40, 130, 14, '#e3d2b0'), at: [-44, 0, 0] }, { width: 104, height: 74, depth: 84, colour: '#b58d5c', front: rect(14, 18, 50, 32, darker(pen.main, 0.1), 'opacity=".8"'), top: rect(0, 34, 104, 12, '#e3d2b0'), at: [84, 0, -10] }, { width: 96, height: 60, depth: 76, colour: '#c9a574', front: rect(14, 14, 44, 28, pen.main, 'opacity=".75"'), at: [-30, 96, 4] }], 0.34)
}

export function babyClothes(pen: Pen): string {
  const soft = ['#f2c6cf', '#bfdcee', '#f6e6a8', '#cfe8d0', '#e3d3f0', '#f7f3ea']
  return times(3, (n) => at(-86 + n * 86, (n % 2) * 6, `<g transform="rotate(${pen.choice.between(-9, 9)}) scale(.62)">${path('M-30 -176 Q0 -160 30 -176 L84 -150 L70 -110 L50 -120 L54 -40 L34 -6 H12 L0 -34 L-12 -6 H-34 L-54 -40 L-50 -120 L-70 -110 L-84 -150 Z', pen.body(pen.choice.pick(soft)))}${times(9, () => circle(pen.choice.between(-36, 36), pen.choice.between(-140, -50), 6, pen.choice.pick(soft)))}</g>`))
}

/** For offers of work: tools on a board, or a notice without words. */
export function tools(pen: Pen): string {
  return rect(-130, -186, 260, 182, pen.linear([[0, '#b98f5c'], [1, '#9a7243']]), 'rx="4"') + times(60, (n) => circle(-116 + (n % 10) * 26, -172 + Math.floor(n / 10) * 30, 2, '#6b4c28')) + line('M-84 -160 L-84 -50', pen.round('#c3c8cc'), 14) + path('M-100 -164 q16 -24 32 0 l-6 16 h-20z M-100 -40 q16 24 32 0 l-6 -16 h-20z', '#aab0b5') + rect(-22, -126, 16, 96, pen.round('#8a5528'), 'rx="6"') + path('M-50 -150 h70 v22 h-46 l-24 -6z', pen.body('#5d6369')) + rect(54, -160, 20, 70, pen.round(pen.main), 'rx="8"') + rect(60, -92, 8, 62, pen.round('#c3c8cc')) + path('M96 -150 q20 30 0 60 M112 -150 q-20 30 0 60', 'none', 'stroke="#b0392b" stroke-width="7"') + line('M98 -90 L92 -30 M110 -90 L116 -30', '#8d9399', 6)
}

export function notice(pen: Pen): string {
  const rows = times(9, (n) => line(`M-58 ${-142 + n * 13} h${pen.choice.between(60, 116)}`, '#8f8a80', 3.4, 'opacity=".7"'))
  return `<g transform="rotate(${pen.choice.between(-3, 3)} 0 -90)">${rect(-80, -190, 160, 184, pen.linear([[0, '#fffdf6'], [1, '#ece6d8']]))}${rect(-80, -190, 160, 32, pen.main)}${rect(-50, -180, 100, 11, '#ffffff', 'opacity=".85" rx="3"')}${rows}${circle(0, -186, 6, '#b3261f')}${path('M80 -190 l-20 184 h20z', '#000000', 'opacity=".06"')}</g>`
}

export function paintBuckets(pen: Pen): string {
  const one = (x: number, colour: string) => at(x, 0, path('M-44 -92 H44 L38 -4 Q0 6 -38 -4 Z', pen.round('#d9dcde')) + oval(0, -92, 44, 13, colour) + rect(-36, -70, 72, 34, colour, 'opacity=".85"') + path('M-44 -92 Q0 -150 44 -92', 'none', 'stroke="#8d9399" stroke-width="3"'))
  return one(-70, pen.main) + one(40, pen.choice.pick(['#d9a441', '#3f7fa8', '#5b8f4a'])) + line('M92 -6 L118 -120', '#9a6a3e', 9) + rect(102, -166, 36, 48, pen.body('#c9402f'), 'rx="4"')
}
