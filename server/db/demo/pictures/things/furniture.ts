import { circle, each, line, oval, type Pen, path, rect, times } from '../pen.ts'
import { boxes } from '../solid.ts'
import { darker, lighter, mixed } from '../tints.ts'

const WOODS = ['#7a4e2e', '#9a6a3e', '#5d3a24', '#b58754'] as const
const wood = (pen: Pen) => pen.choice.pick(WOODS)
const grain = (pen: Pen, width: number, height: number) => times(Math.ceil(width / 7), (n) => line(`M${n * 7 + pen.choice.between(-2, 2)} 0 q${pen.choice.between(-3, 3)} ${height / 2} 0 ${height}`, '#2a1708', 0.6, 'opacity=".28"'))

export function sofa(pen: Pen): string {
  const { main } = pen
  const seam = line('M70 4 V40 M140 4 V40', darker(main, 0.4), 1.4)
  return boxes(pen, [
    { width: 232, height: 26, depth: 86, colour: darker(main, 0.2) },
    { width: 212, height: 20, depth: 74, colour: main, front: seam, top: line('M70 0 V74 M140 0 V74', darker(main, 0.35), 1.6), at: [0, 26, -4] },
    { width: 232, height: 54, depth: 22, colour: main, front: line('M78 0 V54 M154 0 V54', darker(main, 0.35), 1.6), at: [0, 26, 34] },
    { width: 22, height: 42, depth: 88, colour: lighter(main, 0.06), at: [-116, 18, 0] },
    { width: 22, height: 42, depth: 88, colour: lighter(main, 0.06), at: [116, 18, 0] },
    { width: 42, height: 34, depth: 12, colour: pen.choice.pick(['#d9b25c', '#c96a4a', '#7d94a3', '#e7ded0']), at: [-66, 46, 14] },
    { width: 42, height: 34, depth: 12, colour: pen.choice.pick(['#d9b25c', '#c96a4a', '#7d94a3', '#e7ded0']), at: [66, 46, 14] },
  ], 0.34)
}

export function armchair(pen: Pen): string {
  const cane = pen.choice.pick(['#c39a5e', '#a87c46'])
  const weave = times(14, (n) => line(`M0 ${n * 5} H100`, darker(cane, 0.35), 1)) + times(14, (n) => line(`M${n * 7.5} 0 V70`, darker(cane, 0.3), 1))
  return boxes(pen, [
    { width: 100, height: 46, depth: 84, colour: cane, front: weave, side: weave },
    { width: 92, height: 16, depth: 74, colour: pen.main, at: [0, 46, -4] },
    { width: 100, height: 70, depth: 18, colour: cane, front: weave, at: [0, 46, 34] },
    { width: 16, height: 34, depth: 84, colour: cane, at: [-52, 40, 0] },
    { width: 16, height: 34, depth: 84, colour: cane, at: [52, 40, 0] },
  ], 0.32)
}

export function bed(pen: Pen): string {
  const timber = wood(pen)
  const cover = pen.choice.pick(['#b5473a', '#3f6a8f', '#d8c9a8', '#6b7f55', '#8d5b86', '#e8e3d9'])
  return boxes(pen, [
    { width: 168, height: 30, depth: 190, colour: timber, front: grain(pen, 168, 30), side: grain(pen, 190, 30) },
    { width: 160, height: 26, depth: 178, colour: '#efeae0', top: rect(0, 60, 160, 118, cover) + times(8, (n) => line(`M0 ${66 + n * 14} H160`, darker(cover, 0.25), 1, 'opacity=".5"')), side: rect(0, 2, 118, 22, cover), front: rect(0, 0, 160, 22, cover), at: [0, 30, 0] },
    { width: 176, height: 96, depth: 12, colour: timber, front: grain(pen, 176, 96) + rect(12, 10, 152, 44, darker(timber, 0.2), 'rx="6"'), at: [0, 0, 98] },
    { width: 62, height: 14, depth: 34, colour: '#f6f3ec', at: [-40, 56, 66] },
    { width: 62, height: 14, depth: 34, colour: '#f6f3ec', at: [40, 56, 66] },
  ], 0.4)
}

export function mattress(pen: Pen): string {
  const flower = times(12, () => circle(pen.choice.between(10, 180), pen.choice.between(5, 26), 3, pen.main, 'opacity=".5"'))
  return boxes(pen, [{ width: 190, height: 34, depth: 130, colour: '#ece7dd', front: flower, side: flower, top: times(30, () => circle(pen.choice.between(8, 182), pen.choice.between(8, 122), 4, pen.main, 'opacity=".4"')) }], 0.42)
}

export function table(pen: Pen): string {
  const timber = wood(pen)
  const leg = (x: number, z: number) => ({ width: 10, height: 70, depth: 10, colour: timber, at: [x, 0, z] as const })
  const chair = (x: number, z: number, back: number) => [
    { width: 42, height: 6, depth: 40, colour: darker(timber, 0.1), at: [x, 40, z] as const },
    { width: 42, height: 60, depth: 5, colour: timber, front: times(3, (n) => rect(6 + n * 12, 6, 6, 48, darker(timber, 0.4))), at: [x, 44, z + back] as const },
    ...[-17, 17].flatMap((dx) => [-15, 15].map((dz) => ({ width: 5, height: 40, depth: 5, colour: timber, at: [x + dx, 0, z + dz] as const }))),
  ]
  return boxes(pen, [{ width: 190, height: 8, depth: 92, colour: timber, top: times(12, (n) => line(`M0 ${n * 8} H190`, darker(timber, 0.3), 0.7)), at: [0, 70, 0] }, leg(-86, -38), leg(86, -38), leg(-86, 38), leg(86, 38), ...chair(-52, 66, 20), ...chair(52, 66, 20), ...chair(-52, -70, -20), ...chair(52, -70, -20)], 0.42)
}

export function chairs(pen: Pen): string {
  const one = (x: number, y: number) => boxes(pen, [{ width: 60, height: 10, depth: 50, colour: pen.main, at: [x, 44 + y, 0] }, { width: 60, height: 56, depth: 6, colour: pen.main, front: times(4, (n) => rect(8 + n * 12, 8, 7, 38, darker(pen.main, 0.35))), at: [x, 50 + y, 24] }, ...[-25, 25].flatMap((dx) => [-21, 21].map((dz) => ({ width: 7, height: 44, depth: 7, colour: darker(pen.main, 0.1), at: [x + dx, y, dz] as const })))], 0.3)
  return each([-74, 0, 74], (x) => times(pen.choice.whole(2, 4), (n) => one(x, n * 14)))
}

export function wardrobe(pen: Pen): string {
  const timber = wood(pen)
  const panel = (x: number) => rect(x, 6, 48, 178, lighter(timber, 0.06), `stroke="${darker(timber, 0.5)}" stroke-width="1.4"`) + rect(x + 7, 14, 34, 78, darker(timber, 0.14)) + rect(x + 7, 100, 34, 76, darker(timber, 0.14)) + circle(x + 43, 100, 2, '#d9c27a')
  return boxes(pen, [{ width: 154, height: 190, depth: 56, colour: timber, front: grain(pen, 154, 190) + panel(3) + (pen.choice.chance(0.5) ? rect(53, 6, 48, 178, pen.linear([[0, '#c6d5da'], [0.5, '#8ea3ab'], [1, '#e1eaec']], 50)) : panel(53)) + panel(103), side: grain(pen, 56, 190) }], 0.14)
}

export function shelves(pen: Pen): string {
  const metal = pen.main
  const load = (row: number) => times(7, () => rect(pen.choice.between(6, 112), row * 42 + 12 + pen.choice.between(0, 8), pen.choice.between(10, 20), 20, pen.choice.pick(['#b7402f', '#d8c9a8', '#3f6a8f', '#6a7d4d', '#caa24a'])))
  return boxes(pen, [{ width: 140, height: 176, depth: 46, colour: mixed(metal, '#2a2b2e', 0.55), front: times(4, (row) => rect(0, row * 42 + 34, 140, 5, lighter(metal, 0.35)) + load(row)) + rect(0, 0, 5, 176, lighter(metal, 0.3)) + rect(135, 0, 5, 176, lighter(metal, 0.3)) }], 0.18)
}

export function tvStand(pen: Pen): string {
  const timber = wood(pen)
  return boxes(pen, [{ width: 210, height: 54, depth: 50, colour: timber, front: grain(pen, 210, 54) + rect(8, 8, 58, 38, darker(timber, 0.25)) + rect(76, 8, 60, 38, '#1b1410') + rect(146, 8, 58, 38, darker(timber, 0.25)), side: grain(pen, 50, 54) }, { width: 150, height: 86, depth: 5, colour: '#15171b', front: rect(4, 4, 142, 76, pen.linear([[0, '#2f3d4d'], [0.5, '#10161d'], [1, '#20303c']], 40)), at: [0, 62, 4] }], 0.2)
}

export function lowTable(pen: Pen): string {
  return boxes(pen, [{ width: 170, height: 5, depth: 90, colour: '#a9c3c8', at: [0, 46, 0] }, { width: 140, height: 4, depth: 64, colour: '#8f9da0', at: [0, 16, 0] }, ...[-74, 74].flatMap((x) => [-36, 36].map((z) => ({ width: 7, height: 46, depth: 7, colour: '#c9ced2', at: [x, 0, z] as const })))], 0.4)
}

/** Cloth that hangs: curtains. */
export function curtains(pen: Pen): string {
  const fold = (x: number) => path(`M${x} -190 q${pen.choice.between(-3, 5)} 90 ${pen.choice.between(-4, 4)} 186 h24 q${pen.choice.between(-4, 5)} -90 0 -186z`, pen.linear([[0, darker(pen.main, 0.35)], [0.4, lighter(pen.main, 0.25)], [1, darker(pen.main, 0.25)]], 0))
  return rect(-96, -182, 192, 132, '#dfeaee') + line('M-96 -116 H96 M0 -182 V-50', '#f5f1e8', 5) + times(5, (n) => fold(-124 + n * 18)) + times(5, (n) => fold(30 + n * 18)) + rect(-136, -198, 272, 8, '#6b4a2c', 'rx="4"')
}

export function rug(pen: Pen): string {
  const { main } = pen
  return path('M-150 -4 L-104 -110 H104 L150 -4 Z', main) + path('M-132 -12 L-94 -102 H94 L132 -12 Z', lighter(main, 0.3)) + path('M-120 -18 L-88 -97 H88 L120 -18 Z', darker(main, 0.12)) + each([0, 1, 2], (n) => path(`M${-60 + n * 60} -28 l-16 -30 20 -30 18 30 z`, lighter(main, 0.45))) + times(32, (n) => line(`M${-150 + n * 9.6} -4 v7`, lighter(main, 0.6), 1.2))
}

export function plants(pen: Pen): string {
  return times(7, (n) => {
    const x = -108 + n * 36
    const leaves = times(7, () => `<path d="M0 0 q${pen.choice.between(-14, 14)} -18 ${pen.choice.between(-24, 24)} -34 q${pen.choice.between(4, 12)} 20 ${-pen.choice.between(-6, 6)} 34z" fill="${pen.choice.pick(['#3f7a3a', '#5a8f45', '#2f5f30'])}" transform="translate(${x} ${-46 - pen.choice.between(0, 24)})"/>`)
    return path(`M${x - 14} -40 h28 l-4 40 h-20z`, '#24262a') + line(`M${x} -40 v-30`, '#5b4a2e', 2.6) + leaves
  })
}

export const basin = (pen: Pen): string => oval(0, -84, 92, 26, pen.body('#c7ccd0')) + path('M-92 -84 Q-80 -10 -40 -2 H40 Q80 -10 92 -84 Z', pen.round('#b4babf')) + oval(0, -84, 82, 20, pen.linear([[0, '#6d7479'], [1, '#c9cfd3']])) + path('M-104 -84 q-14 -2 -14 10 q0 8 12 8 M104 -84 q14 -2 14 10 q0 8 -12 8', 'none', 'stroke="#8f969c" stroke-width="6"')
