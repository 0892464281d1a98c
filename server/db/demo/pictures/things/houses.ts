import { at, each, line, oval, type Pen, path, rect, times } from '../pen.ts'
import { boxes } from '../solid.ts'
import { darker, lighter, mixed } from '../tints.ts'

/** Houses, shops and ground; 1 unit is about 5 cm here, and the origin is the middle of the front. */
const GLASS = '#46606e'

function window(x: number, y: number, width: number, height: number, frame = '#f1ece2'): string {
  return rect(x - 3, y - 3, width + 6, height + 6, frame) + rect(x, y, width, height, GLASS) + path(`M${x} ${y + height * 0.7} L${x + width * 0.6} ${y} H${x + width} V${y + height * 0.2} L${x + width * 0.3} ${y + height} H${x}z`, '#9fb9c4', 'opacity=".5"') + line(`M${x + width / 2} ${y} V${y + height}`, frame, 2) + times(4, (n) => line(`M${x + 3} ${y + (height / 5) * (n + 1)} H${x + width - 3}`, '#2b3036', 0.7, 'opacity=".55"'))
}

function door(x: number, foot: number, width: number, height: number, colour: string): string {
  return rect(x - 2, foot - height - 2, width + 4, height + 2, darker(colour, 0.45)) + rect(x, foot - height, width, height, colour) + rect(x + width * 0.14, foot - height * 0.92, width * 0.72, height * 0.36, darker(colour, 0.2)) + rect(x + width * 0.14, foot - height * 0.46, width * 0.72, height * 0.38, darker(colour, 0.2)) + oval(x + width * 0.86, foot - height * 0.48, 1.6, 1.6, '#e7d9a6')
}

const wallOf = (pen: Pen) => pen.choice.pick(['#e9d9b8', '#d8b48a', '#f0e7d6', '#c98f63', '#dfe3dc', '#e7c9a0', '#cfd9de'])
const doorOf = (pen: Pen) => pen.choice.pick(['#6b432b', '#2f5168', '#7b3a32', '#3e5a45', '#8a8f94'])

const fence = (pen: Pen, wall: string): string => {
  const low = darker(wall, 0.12)
  return rect(-214, -58, 160, 66, pen.linear([[0, lighter(low, 0.1)], [1, darker(low, 0.2)]])) + rect(60, -58, 154, 66, pen.linear([[0, lighter(low, 0.1)], [1, darker(low, 0.2)]])) + rect(-216, -63, 164, 6, darker(wall, 0.3)) + rect(58, -63, 158, 6, darker(wall, 0.3)) + rect(-52, -66, 110, 74, pen.body('#3f4a50')) + times(9, (n) => rect(-48 + n * 12, -62, 3, 68, '#262c30'))
}

export function villa(pen: Pen): string {
  const wall = wallOf(pen)
  const house = boxes(pen, [
    { width: 250, height: 96, depth: 130, colour: wall, front: window(20, 28, 44, 34) + door(86, 96, 30, 62, doorOf(pen)) + window(134, 28, 36, 34) + rect(182, 22, 56, 74, '#7c8389') + times(6, (n) => line(`M182 ${32 + n * 11} h56`, '#5d6369', 1)), side: window(30, 28, 40, 34) },
    { width: 268, height: 10, depth: 148, colour: mixed(wall, '#ffffff', 0.3), at: [0, 96, 0] },
    { width: 60, height: 6, depth: 30, colour: '#d8d2c5', at: [-22, 70, -76] },
  ], 0.16)
  return house + (pen.choice.chance(0.4) ? at(0, 20, fence(pen, wall)) : '')
}

export function gable(pen: Pen): string {
  const wall = wallOf(pen)
  const sheet = pen.choice.pick(['#9aa3a8', '#a65c43', '#7f8f8a', '#8d5a48'])
  return (
    boxes(pen, [{ width: 210, height: 84, depth: 110, colour: wall, front: window(22, 26, 36, 32) + door(88, 84, 32, 58, doorOf(pen)) + window(150, 26, 36, 32), side: window(34, 26, 32, 30) }], 0.14) +
    path('M-128 -84 L-92 -134 L116 -134 L140 -84 Z', pen.linear([[0, lighter(sheet, 0.25)], [1, darker(sheet, 0.2)]])) + times(22, (n) => line(`M${-86 + n * 9.2} -133 L${-120 + n * 11.8} -85`, darker(sheet, 0.3), 1, 'opacity=".6"')) + rect(-130, -86, 272, 5, darker(sheet, 0.45))
  )
}

export function duplex(pen: Pen): string {
  const wall = wallOf(pen)
  const rail = times(14, (n) => rect(18 + n * 9, 4, 2, 26, '#dfe3e6')) + rect(14, 2, 132, 4, '#eef0f2')
  return boxes(pen, [
    { width: 230, height: 84, depth: 120, colour: wall, front: window(18, 24, 46, 34) + door(84, 84, 32, 60, doorOf(pen)) + rect(140, 18, 74, 66, '#6c7278') + times(6, (n) => line(`M140 ${28 + n * 10} h74`, '#50565b', 1)), side: window(34, 24, 40, 32) },
    { width: 236, height: 7, depth: 130, colour: lighter(wall, 0.4), at: [0, 84, -4] },
    { width: 190, height: 76, depth: 110, colour: darker(wall, 0.06), front: window(16, 22, 40, 34) + window(78, 14, 34, 56) + window(136, 22, 38, 34), side: window(34, 22, 36, 32), at: [-14, 91, 2] },
    { width: 206, height: 9, depth: 126, colour: lighter(wall, 0.35), at: [-14, 167, 2] },
    { width: 150, height: 30, depth: 4, colour: '#cfd4d8', front: rail, at: [-10, 91, -64] },
  ], 0.12)
}

export function building(pen: Pen): string {
  const wall = wallOf(pen)
  const floors = 3
  return boxes(pen, [{ width: 200, height: floors * 58, depth: 110, colour: wall, front: times(floors * 4, (n) => window(14 + (n % 4) * 47, 14 + Math.floor(n / 4) * 58, 32, 28)) + times(floors, (n) => rect(4, 50 + n * 58, 192, 5, lighter(wall, 0.45))) + door(84, 174, 34, 48, doorOf(pen)), side: times(floors * 2, (n) => window(16 + (n % 2) * 48, 14 + Math.floor(n / 2) * 58, 28, 28)) }, { width: 210, height: 8, depth: 120, colour: lighter(wall, 0.3), at: [0, floors * 58, 0] }], 0.1)
}

export function shopfront(pen: Pen): string {
  const wall = wallOf(pen)
  const awning = pen.choice.pick(['#2f6a8f', '#a63d2f', '#3d7a52', '#c58a2c'])
  const shutter = (x: number) => rect(x, 34, 66, 62, '#8a9197') + times(9, (n) => line(`M${x} ${40 + n * 6.4} h66`, '#676e74', 1.2))
  return boxes(pen, [{ width: 250, height: 96, depth: 90, colour: wall, front: shutter(16) + rect(94, 34, 62, 62, '#2b2622') + times(3, (n) => rect(98, 46 + n * 17, 54, 3, '#6b5846')) + times(14, (n) => rect(100 + (n % 7) * 7.4, 36 + Math.floor(n / 7) * 17, 5, 9, pen.choice.pick(['#c4412f', '#e2b23c', '#3f7fb0', '#ede7da']))) + shutter(170) }, { width: 262, height: 20, depth: 40, colour: awning, front: times(13, (n) => rect(n * 20, 0, 10, 20, lighter(awning, 0.55), 'opacity=".7"')), at: [0, 94, -58] }], 0.14)
}

export function warehouse(pen: Pen): string {
  const wall = pen.choice.pick(['#aab2b6', '#b9ad98', '#9fb0b8'])
  return boxes(pen, [{ width: 260, height: 104, depth: 150, colour: wall, front: times(28, (n) => line(`M${n * 9.4} 0 V104`, darker(wall, 0.22), 1)) + rect(90, 26, 84, 78, '#5f676d') + times(8, (n) => line(`M90 ${34 + n * 9} h84`, '#495056', 1.4)), side: times(16, (n) => line(`M${n * 9.4} 0 V104`, darker(wall, 0.4), 1)) }, { width: 270, height: 12, depth: 158, colour: '#7d868b', at: [0, 104, 0] }], 0.2)
}

/** A plot: boundary stones, a little grass, perhaps a heap of bricks. */
export function land(pen: Pen): string {
  const post = (x: number, y: number, size: number) => rect(x - 3 * size, y - 26 * size, 6 * size, 26 * size, pen.round('#d9d4c8')) + rect(x - 3 * size, y - 26 * size, 6 * size, 6 * size, '#b3261f')
  const bricks = times(18, (n) => rect(-60 + (n % 6) * 17 + (Math.floor(n / 6) % 2) * 8, -12 - Math.floor(n / 6) * 9, 15, 8, mixed('#a9a399', '#8a7a68', pen.choice.next())))
  return path('M-190 14 L-96 -44 L118 -44 L206 14 Z', mixed('#c08a5a', '#d8b488', pen.choice.next()), 'opacity=".65"') + line('M-190 14 L-96 -44 L118 -44 L206 14 Z', '#efe9dc', 1.6, 'stroke-dasharray="7 5"') + post(-96, -44, 0.7) + post(118, -44, 0.7) + post(-190, 14, 1.2) + post(206, 14, 1.2) + (pen.choice.chance(0.5) ? bricks : '') + times(16, () => { const [x, y] = [pen.choice.between(-180, 190), pen.choice.between(-38, 10)]; return line(`M${x} ${y} q2 -6 5 -9 M${x} ${y} q-2 -5 -5 -7`, pen.choice.pick(['#6f7f3f', '#8d8f4c', '#a58f55']), 1.3) })
}

/** Inside: a living room or a bedroom, empty or furnished. */
export function interior(pen: Pen): string {
  const wall = pen.choice.pick(['#efe3cd', '#e2e8e4', '#f3ead9', '#dfe0e6'])
  const floor = pen.choice.pick(['#cfc2a8', '#bfb7ab', '#d8cfc0'])
  const sofa = pen.choice.pick(['#7b4b3a', '#4d5b6b', '#8b7a5c', '#5d3b46'])
  return (
    rect(-240, -250, 480, 210, pen.linear([[0, '#f7f3ea'], [1, wall]])) + path('M-240 -250 L-150 -210 L-150 -60 L-240 -10 Z', darker(wall, 0.14)) + path('M240 -250 L150 -210 L150 -60 L240 -10 Z', darker(wall, 0.2)) + path('M-240 -250 H240 L150 -210 H-150 Z', '#faf8f2') +
    path('M-150 -60 H150 L240 70 H-240 Z', pen.linear([[0, darker(floor, 0.12)], [1, lighter(floor, 0.2)]])) + times(9, (n) => line(`M${-150 + n * 37.5} -60 L${-270 + n * 67} 70`, darker(floor, 0.25), 0.8)) + each([-48, -28, 4, 44], (y) => line(`M-240 ${y} H240`, darker(floor, 0.25), 0.7)) +
    window(-58, -176, 82, 62) + path('M-84 -190 q10 60 -2 128 h-18 v-128z M44 -190 q-10 60 2 128 h18 v-128z', pen.choice.pick(['#a4553f', '#577a8a', '#8a7a4d', '#b59a6a'])) + oval(0, -214, 46, 5, '#e9e4d8') + line('M0 -236 V-214', '#b9b4a8', 2) +
    (pen.choice.chance(0.55) ? path('M-120 -4 v-44 q0 -12 14 -12 h92 q14 0 14 12 v44z', pen.body(sofa)) + path('M-132 6 v-34 q10 -10 20 0 v20 h104 v-20 q10 -10 20 0 v34z', pen.body(darker(sofa, 0.12))) + path('M40 22 l70 -6 22 20 -82 8z', '#5b412d') : door(104, -62, 34, 96, '#7a5236'))
  )
}
