import { at, circle, each, line, type Pen, path, rect, times } from '../pen.ts'
import { darker, lighter } from '../tints.ts'

/** Things that lie on a table; the origin is the middle of their lower edge. */
const WALLPAPERS = [['#1c3f94', '#e85d75', '#f7b267'], ['#0b7a75', '#7b2d26', '#d7c9aa'], ['#2b193d', '#8b5cf6', '#f0abfc'], ['#134e4a', '#a7f3d0', '#fef3c7'], ['#111827', '#2563eb', '#93c5fd'], ['#7c2d12', '#fb923c', '#fde68a']] as const

function screen(pen: Pen, x: number, y: number, width: number, height: number, corner: number): string {
  if (pen.choice.chance(0.3)) return rect(x, y, width, height, pen.linear([[0, '#2b2e35'], [0.4, '#0d0e11'], [1, '#191b20']], 60), `rx="${corner}"`)
  const [a, b, c] = pen.choice.pick(WALLPAPERS)
  const icon = () => pen.choice.pick(['#f4f4f5', '#34d399', '#f59e0b', '#60a5fa', '#f87171', '#a78bfa'])
  const cell = width / 5
  return (
    rect(x, y, width, height, pen.linear([[0, a], [0.55, b], [1, c]], pen.choice.between(50, 110)), `rx="${corner}"`) +
    path(`M${x} ${y + height * 0.62} q${width / 2} -${height * 0.18} ${width} ${height * 0.05} v${height * 0.3} h-${width} z`, lighter(c, 0.2), 'opacity=".35"') +
    times(12, (n) => rect(x + cell * (0.6 + (n % 4)), y + height * 0.5 + Math.floor(n / 4) * cell * 1.25, cell * 0.72, cell * 0.72, icon(), `rx="${cell * 0.2}" opacity=".92"`)) +
    rect(x + width * 0.2, y + height * 0.14, width * 0.6, height * 0.06, '#ffffff', 'rx="3" opacity=".8"')
  )
}

function shine(pen: Pen, width: number, height: number): string {
  return path(`M${-width / 2} ${-height * 0.95} L${width * 0.1} ${-height} L${-width * 0.25} ${-height * 0.1} L${-width / 2} ${-height * 0.25} z`, pen.linear([[0, '#ffffff', 0.32], [1, '#ffffff', 0.02]], 60))
}

const edge = (width: number, height: number, pen: Pen, corner = 12): string => rect(-width / 2, -height, width, height, pen.linear([[0, lighter(pen.main, 0.35)], [0.5, darker(pen.main, 0.25)], [1, lighter(pen.main, 0.1)]], 20), `rx="${corner}"`)

function front(pen: Pen, width: number, height: number): string {
  return edge(width, height, pen) + rect(-width / 2 + 2.5, -height + 2.5, width - 5, height - 5, '#08090b', 'rx="10"') + screen(pen, -width / 2 + 6, -height + 8, width - 12, height - 16, 6) + circle(0, -height + 13, 2.2, '#050506') + shine(pen, width, height)
}

function back(pen: Pen, width: number, height: number): string {
  const lens = (x: number, y: number, r: number) => circle(x, y, r, '#15171b') + circle(x, y, r * 0.72, pen.radial([[0, '#3c4a66'], [0.6, '#10131a'], [1, '#000000']])) + circle(x - r * 0.25, y - r * 0.3, r * 0.18, '#ffffff', 'opacity=".7"')
  const [x, y] = [-width / 2 + 9, -height + 10]
  const module = pen.choice.pick([0, 1, 2])
  const lenses =
    module === 0
      ? rect(x, y, width * 0.46, width * 0.46, darker(pen.main, 0.2), `rx="${width * 0.1}"`) + lens(x + width * 0.14, y + width * 0.14, width * 0.085) + lens(x + width * 0.32, y + width * 0.32, width * 0.085) + circle(x + width * 0.33, y + width * 0.13, width * 0.03, '#fff3cf')
      : module === 1
        ? each([0.14, 0.36, 0.58], (offset) => lens(x + width * 0.14, y + width * offset, width * 0.085)) + circle(x + width * 0.32, y + width * 0.14, width * 0.03, '#fff3cf')
        : circle(0, y + width * 0.32, width * 0.3, darker(pen.main, 0.35)) + circle(0, y + width * 0.32, width * 0.28, '#1b1d22') + each([[-0.1, 0.22], [0.1, 0.22], [-0.1, 0.42], [0.1, 0.42]] as const, ([dx, dy]) => lens(width * dx, y + width * dy, width * 0.07))
  return edge(width, height, pen) + rect(-width / 2 + 1.5, -height + 1.5, width - 3, height - 3, pen.linear([[0, lighter(pen.main, 0.28)], [0.45, pen.main], [1, darker(pen.main, 0.3)]], 55), 'rx="11"') + lenses + shine(pen, width, height)
}

const carton = (pen: Pen, width: number, height: number): string =>
  rect(-width / 2, -height, width, height, pen.linear([[0, '#fbfaf7'], [1, '#dcd9d2']], 60), 'rx="2"') + rect(-width * 0.24, -height * 0.86, width * 0.48, height * 0.62, pen.linear([[0, lighter(pen.main, 0.4)], [1, pen.main]]), 'rx="5"') + rect(-width * 0.3, -height * 0.14, width * 0.6, 4, '#b9b4aa') + path(`M${width / 2} ${-height} l6 5 v${height} l-6 -5z`, '#b8b3a8')

export function phone(pen: Pen): string {
  const view = pen.choice.pick(['front', 'back', 'both', 'box', 'box'])
  const tilt = (degrees: number, drawing: string) => `<g transform="rotate(${degrees} 0 -90)">${drawing}</g>`
  if (view === 'front') return tilt(pen.choice.between(-16, 16), front(pen, 92, 190))
  if (view === 'back') return tilt(pen.choice.between(-16, 16), back(pen, 92, 190))
  if (view === 'both') return at(-52, 0, tilt(pen.choice.between(-9, 2), back(pen, 86, 178))) + at(52, 4, tilt(pen.choice.between(-2, 9), front(pen, 86, 178)))
  return at(-56, 0, tilt(pen.choice.between(-8, 0), carton(pen, 98, 178))) + at(52, 4, tilt(pen.choice.between(-6, 10), pen.choice.chance(0.5) ? front(pen, 84, 174) : back(pen, 84, 174))) + line('M96 -6 q40 -30 18 -70 t26 -52', '#eceae5', 3.4)
}

export function keypadPhone(pen: Pen): string {
  const keys = times(15, (n) => rect(-28 + (n % 3) * 20, -74 + Math.floor(n / 3) * 14, 16, 9, lighter(pen.main, 0.25), 'rx="3"'))
  return `<g transform="rotate(${pen.choice.between(-12, 12)} 0 -80)">${rect(-38, -172, 76, 172, pen.body(), 'rx="16"')}${rect(-28, -156, 56, 62, '#0b0d10', 'rx="5"')}${rect(-24, -152, 48, 54, pen.linear([[0, '#7fb6d9'], [1, '#d6ecf7']]), '')}${keys}${shine(pen, 70, 168)}</g>`
}

export function tablet(pen: Pen): string {
  const [width, height] = pen.choice.chance(0.6) ? [250, 166] : [140, 196]
  return `<g transform="rotate(${pen.choice.between(-9, 9)} 0 -90)">${edge(width, height, pen)}${rect(-width / 2 + 3, -height + 3, width - 6, height - 6, '#08090b', 'rx="9"')}${screen(pen, -width / 2 + 11, -height + 11, width - 22, height - 22, 3)}${shine(pen, width, height)}</g>`
}

/** Small things with a rounded case: a router, a power bank, a box for the television. */
export function gadget(pen: Pen): string {
  const [width, height] = [pen.choice.between(130, 190), pen.choice.between(84, 130)]
  const lamps = times(4, (n) => circle(-width / 2 + 22 + n * 12, -16, 2.4, n < 2 ? '#4ade80' : '#e5e7eb'))
  return `<g transform="rotate(${pen.choice.between(-10, 10)} 0 -60)">${rect(-width / 2, -height, width, height, pen.body(), 'rx="16"')}${rect(-width / 2 + 4, -height + 4, width - 8, height - 8, pen.linear([[0, lighter(pen.main, 0.22)], [1, darker(pen.main, 0.12)]], 60), 'rx="13"')}${lamps}${rect(width / 2 - 42, -24, 26, 8, darker(pen.main, 0.5), 'rx="3"')}</g>${line(`M${width / 2} -40 q50 6 40 -50 t36 -40`, '#22252b', 4)}`
}

export function watch(pen: Pen): string {
  const strap = (from: number, to: number) => path(`M-24 ${from} Q-20 ${(from + to) / 2} -17 ${to} L17 ${to} Q20 ${(from + to) / 2} 24 ${from} z`, pen.body())
  const round = pen.choice.chance(0.6)
  const face = round ? circle(0, -95, 40, pen.round('#9aa1ab')) + circle(0, -95, 34, '#0c0e12') : rect(-36, -136, 72, 82, pen.round('#9aa1ab'), 'rx="18"') + rect(-31, -131, 62, 72, '#0c0e12', 'rx="14"')
  const hands = line('M0 -95 L14 -112 M0 -95 L-10 -84', '#f4f4f5', 3) + times(12, (n) => circle(29 * Math.sin((n * Math.PI) / 6), -95 - 29 * Math.cos((n * Math.PI) / 6), 1.6, '#d4d4d8'))
  return `<g transform="rotate(${pen.choice.between(-24, 24)} 0 -95)">${strap(-58, 0)}${strap(-132, -190)}${face}${hands}</g>`
}
