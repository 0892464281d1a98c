import type { Random } from '../random.ts'
import { each, oval, type Pen, path, rect, times } from './pen.ts'
import { darker, lighter, mixed } from './tints.ts'

/** A place where people take photos of what they sell. Drawn in a frame of `width` × 300 units. */
interface Backdrop {
  /** What is far away and out of focus. */
  readonly far: (pen: Pen, width: number, tone: Tone) => string
  /** The surface that things stand or lie on. */
  readonly near: (pen: Pen, width: number, tone: Tone) => string
  readonly tones: readonly [Tone, ...Tone[]]
  /** Where things stand, 0 top to 300 bottom. */
  readonly floor: number
}

/** Colours of one such place: wall or sky, ground, and something in the background. */
interface Tone {
  readonly back: string
  readonly ground: string
  readonly accent: string
}

const tone = (back: string, ground: string, accent: string): Tone => ({ back, ground, accent })

/** Speckles of a ground: small, flat, more of them near the camera. */
function gravel(choice: Random, width: number, from: number, colour: string, count: number): string {
  return times(count, () => {
    const depth = choice.next() ** 0.7
    const y = from + (300 - from) * depth
    return oval(Math.round(choice.between(0, width)), Math.round(y), 0.5 + 2.6 * depth * choice.next(), 0.3 + 0.9 * depth * choice.next(), choice.chance(0.5) ? darker(colour, 0.3) : lighter(colour, 0.25), 'opacity=".5"')
  })
}

const plaster = (pen: Pen, width: number, height: number, colour: string) =>
  rect(0, 0, width, height, pen.linear([[0, lighter(colour, 0.12)], [0.7, colour], [1, darker(colour, 0.16)]], 78)) +
  times(9, () => oval(pen.choice.between(0, width), pen.choice.between(0, height), pen.choice.between(14, 70), pen.choice.between(8, 30), pen.choice.chance(0.5) ? darker(colour, 0.2) : lighter(colour, 0.3), `opacity=".16"`))

function tree(pen: Pen, x: number, foot: number, size: number): string {
  const green = pen.choice.pick(['#4d6b34', '#5c7a3a', '#6b7f45', '#3f5c33'])
  return rect(x - size * 0.05, foot - size * 0.5, size * 0.1, size * 0.5, '#5b4634') + times(7, () => oval(x + pen.choice.between(-0.35, 0.35) * size, foot - size * pen.choice.between(0.5, 0.95), size * 0.26, size * 0.19, mixed(green, pen.choice.pick(['#88a050', '#2f4426']), pen.choice.between(0, 0.5))))
}

const street: Backdrop = {
  tones: [tone('#cfe0ea', '#b9794a', '#d9b98c'), tone('#e6dfcf', '#bd8555', '#c9c3b4'), tone('#dbe6e6', '#a9683d', '#b8c4a6'), tone('#f0dcc0', '#b37046', '#dcc7a4')],
  floor: 236,
  far: (pen, width, { back, accent }) => {
    const wall = pen.choice.between(96, 128)
    return (
      rect(0, 0, width, 190, pen.linear([[0, darker(back, 0.12)], [0.7, back], [1, lighter(back, 0.4)]])) +
      times(pen.choice.whole(1, 3), () => tree(pen, pen.choice.between(0, width), 184, pen.choice.between(90, 150))) +
      times(4, (n) => rect((n * width) / 3.4 - 30 + pen.choice.between(-20, 20), wall + pen.choice.between(-14, 20), pen.choice.between(60, 130), 92, mixed(accent, pen.choice.pick(['#9c8266', '#e7ddca', '#8fa3a8']), pen.choice.between(0, 0.6)))) +
      times(3, () => rect(pen.choice.between(0, width), 142, pen.choice.between(12, 24), 40, pen.choice.pick(['#4f5d6b', '#6d4634', '#365f66'])))
    )
  },
  near: (pen, width, { ground }) => rect(0, 178, width, 122, pen.linear([[0, lighter(ground, 0.28)], [0.35, ground], [1, darker(ground, 0.22)]])) + gravel(pen.choice, width, 184, ground, 150),
}

const yard: Backdrop = {
  tones: [tone('#d9c39a', '#a79c8d', '#7d5a3c'), tone('#c7d3c4', '#9f978b', '#4b6a68'), tone('#e3d7c3', '#b3a692', '#39506b'), tone('#c98f66', '#a38f7c', '#5e4638'), tone('#d5dbe0', '#9a958e', '#70493a')],
  floor: 240,
  far: (pen, width, { back, accent }) =>
    plaster(pen, width, 206, back) +
    (pen.choice.chance(0.55) ? rect(pen.choice.between(-20, width * 0.7), 40, 84, 166, darker(accent, 0.1)) + rect(pen.choice.between(-20, width * 0.7), 44, 60, 162, accent) : tree(pen, pen.choice.pick([20, width - 30]), 204, 150)) +
    rect(0, 184, width, 22, darker(back, 0.3), 'opacity=".5"'),
  near: (pen, width, { ground }) =>
    rect(0, 200, width, 100, pen.linear([[0, darker(ground, 0.12)], [0.3, ground], [1, lighter(ground, 0.06)]])) +
    gravel(pen.choice, width, 206, ground, 90) +
    path(`M0 ${pen.choice.between(216, 240)} Q${width / 2} ${pen.choice.between(212, 250)} ${width} ${pen.choice.between(216, 250)}`, 'none', `stroke="${darker(ground, 0.35)}" stroke-width=".8" opacity=".6"`),
}

const room: Backdrop = {
  tones: [tone('#e9e1d2', '#cfc4b0', '#8a6f50'), tone('#dbe4e8', '#c5c9c6', '#6d7f8c'), tone('#efe0cf', '#b99b7a', '#9b5b3c'), tone('#dfe7d8', '#d4d0c4', '#5f7355'), tone('#e5dfe8', '#cbbfae', '#6b5a77')],
  floor: 244,
  far: (pen, width, { back, accent }) => {
    const edge = pen.choice.pick([-30, width - 60])
    return plaster(pen, width, 222, back) + rect(edge, 0, 90, 222, pen.linear([[0, lighter(accent, 0.25)], [0.5, accent], [1, lighter(accent, 0.15)]], 0)) + times(5, (n) => rect(edge + n * 19, 0, 5, 222, darker(accent, 0.2), 'opacity=".5"')) + rect(0, 214, width, 8, lighter(back, 0.5))
  },
  near: (pen, width, { ground }) =>
    rect(0, 220, width, 80, pen.linear([[0, darker(ground, 0.1)], [1, lighter(ground, 0.22)]])) +
    times(9, (n) => path(`M${(width / 8) * n} 220 L${width / 2 + ((width / 8) * n - width / 2) * 2.1} 300`, 'none', `stroke="${darker(ground, 0.28)}" stroke-width=".9" opacity=".7"`)) +
    each([230, 246, 270], (y) => path(`M0 ${y}H${width}`, 'none', `stroke="${darker(ground, 0.28)}" stroke-width=".9" opacity=".7"`)),
}

const shop: Backdrop = {
  tones: [tone('#c8bca8', '#8c6a48', '#3f6fa0'), tone('#b9c3c9', '#7a6a5c', '#a0443a'), tone('#d6cbb8', '#6e5946', '#4a7d5a')],
  floor: 242,
  far: (pen, width, { back }) =>
    rect(0, 0, width, 230, pen.linear([[0, darker(back, 0.25)], [1, darker(back, 0.45)]])) +
    each([0, 1, 2], (row) =>
      rect(0, 62 + row * 66, width, 7, darker(back, 0.6)) +
      times(Math.ceil(width / 26), (n) => {
        const height = pen.choice.between(22, 50)
        return rect(n * 26 + pen.choice.between(0, 5), 62 + row * 66 - height, pen.choice.between(13, 24), height, pen.choice.pick(['#b7402f', '#2f6aa8', '#dfae3b', '#e9e4d8', '#3f8a57', '#6a4f94', '#d57b9c', '#8f6a45', '#2c3440', '#70b0b8']))
      }),
    ),
  near: (pen, width, { ground }) => rect(0, 214, width, 86, pen.linear([[0, lighter(ground, 0.25)], [0.25, ground], [1, darker(ground, 0.25)]])) + times(6, (n) => path(`M0 ${222 + n * 13} Q${width / 2} ${218 + n * 13 + pen.choice.between(-4, 4)} ${width} ${223 + n * 13}`, 'none', `stroke="${darker(ground, 0.3)}" stroke-width=".7" opacity=".45"`)),
}

/** Seen from above: nothing is far away, the surface fills the frame. */
const flat = (tones: Backdrop['tones'], near: Backdrop['near']): Backdrop => ({ tones, floor: 222, far: () => '', near })

const table = flat([tone('#8a5f3c', '#9b6f47', '#6e4a2d'), tone('#b58a5c', '#c19a6b', '#94703f'), tone('#5d4331', '#6b4d38', '#4a3526'), tone('#c9b79a', '#d8c7ab', '#b5a283')], (pen, width, { ground, accent }) => {
  const planks = pen.choice.whole(4, 6)
  return (
    rect(0, 0, width, 300, pen.linear([[0, lighter(ground, 0.1)], [1, darker(ground, 0.16)]], 60)) +
    times(planks, (n) => rect(0, (300 / planks) * n, width, 300 / planks - 1.4, mixed(ground, accent, pen.choice.between(0, 0.5)), 'opacity=".55"')) +
    times(46, () => {
      const [x, y, long] = [pen.choice.between(-40, width), pen.choice.between(0, 300), pen.choice.between(40, 170)]
      return path(`M${x.toFixed(0)} ${y.toFixed(0)} q${(long / 2).toFixed(0)} ${pen.choice.between(-3, 3).toFixed(1)} ${long.toFixed(0)} 0`, 'none', `stroke="${darker(ground, 0.4)}" stroke-width="${pen.choice.between(0.3, 1).toFixed(1)}" opacity=".4"`)
    })
  )
})

const cloth = flat([tone('#ede6d9', '#ded4c2', '#b0482f'), tone('#274b6d', '#2f5a82', '#e3c15a'), tone('#7c2f38', '#8f3a43', '#e9d9b8'), tone('#dfe5e8', '#ccd5da', '#4b7a8c'), tone('#3d5a3c', '#4a6b48', '#e8d38a')], (pen, width, { ground, accent }) => {
  const stripe = pen.choice.between(20, 44)
  return (
    rect(0, 0, width, 300, ground) +
    times(Math.ceil(width / stripe) + 4, (n) => path(`M${n * stripe - 40} 0 q${pen.choice.between(-4, 4)} 150 ${pen.choice.between(-8, 8)} 300`, 'none', `stroke="${n % 2 ? accent : lighter(ground, 0.25)}" stroke-width="${n % 2 ? 2.4 : 6}" opacity=".5"`)) +
    times(5, () => {
      const [x, y] = [pen.choice.between(0, width), pen.choice.between(0, 300)]
      return path(`M${x} ${y} q60 ${pen.choice.between(-40, 40)} 150 ${pen.choice.between(-50, 50)} q-70 30 -150 ${pen.choice.between(-10, 40)} z`, darker(ground, 0.4), 'opacity=".22"') + path(`M${x} ${y - 6} q70 ${pen.choice.between(-40, 40)} 140 ${pen.choice.between(-50, 40)}`, 'none', `stroke="${lighter(ground, 0.5)}" stroke-width="5" opacity=".25"`)
    })
  )
})

const mat = flat([tone('#c9a86a', '#d3b57d', '#8f3b2e'), tone('#bfae8a', '#cdbd9b', '#3f6b4f'), tone('#c7b48c', '#d2c29f', '#374f7a')], (_pen, width, { ground, accent }) =>
  rect(0, 0, width, 300, ground) + times(60, (n) => rect(0, n * 5, width, 2.2, n % 11 === 3 ? accent : darker(ground, 0.22), `opacity="${n % 11 === 3 ? 0.7 : 0.32}"`)) + times(Math.ceil(width / 26), (n) => rect(n * 26, 0, 1, 300, darker(ground, 0.4), 'opacity=".35"')),
)

const field: Backdrop = {
  tones: [tone('#cfe2ec', '#b89a62', '#7f9350'), tone('#e8e2d0', '#9aa05a', '#69803e'), tone('#d6e4e6', '#c0a06b', '#8b8f55')],
  floor: 238,
  far: (pen, width, { back, accent }) =>
    rect(0, 0, width, 180, pen.linear([[0, darker(back, 0.14)], [1, lighter(back, 0.45)]])) +
    times(5, () => tree(pen, pen.choice.between(0, width), 172, pen.choice.between(40, 110))) +
    oval(width / 2, 186, width * 0.8, 26, mixed(accent, '#d8cda0', 0.25)),
  near: (pen, width, { ground, accent }) =>
    rect(0, 166, width, 134, pen.linear([[0, mixed(ground, accent, 0.5)], [0.4, ground], [1, darker(ground, 0.2)]])) +
    gravel(pen.choice, width, 172, ground, 70) +
    times(60, () => {
      const [x, y] = [pen.choice.between(0, width), pen.choice.between(180, 298)]
      const tall = (y - 160) / 14
      return path(`M${x.toFixed(0)} ${y.toFixed(0)} q1 -${(tall * 0.6).toFixed(1)} ${pen.choice.between(-3, 4).toFixed(1)} -${tall.toFixed(1)}`, 'none', `stroke="${mixed(accent, '#3f4f25', pen.choice.next() * 0.6)}" stroke-width="1" opacity=".7"`)
    }),
}

export const BACKDROPS = { street, yard, room, shop, table, cloth, mat, field }
export type BackdropName = keyof typeof BACKDROPS
