import type { Pen } from './pen.ts'
import { darker, lighter } from './tints.ts'

/** A box that stands on the ground: its faces are drawn flat, in units from their own top left corner. */
export interface Box {
  readonly width: number
  readonly height: number
  readonly depth: number
  readonly colour: string
  /** Decoration of a face; light and shade are added. */
  readonly front?: string
  readonly side?: string
  readonly top?: string
  /** Where its middle stands: right, up, towards the back. */
  readonly at?: readonly [number, number, number]
}

/** How steeply the camera looks down, in radians. */
const TILT = 0.3

/**
 * Boxes as a camera far away sees them, turned by the pen's angle: every face is the plain drawing under one matrix.
 * Farther boxes come first. The origin is the ground below the middle.
 */
export function boxes(pen: Pen, list: readonly Box[], tilt = TILT): string {
  const { turn } = pen
  const [sin, cos, down, up] = [Math.sin(turn), Math.cos(turn), Math.sin(tilt), Math.cos(tilt)]
  const project = (x: number, y: number, z: number): [number, number] => [x * cos + z * sin, -y * up + (x * sin - z * cos) * down]
  const distance = ({ at: [x, y, z] = [0, 0, 0] }: Box) => (z * cos - x * sin) * 1000 - y
  return [...list]
    .toSorted((a, b) => distance(b) - distance(a))
    .map((box) => drawBox(box))
    .join('')

  function drawBox({ width, height, depth, colour, front = '', side = '', top = '', at: [x, y, z] = [0, 0, 0] }: Box): string {
    const [left, right, near, far] = [x - width / 2, x + width / 2, z - depth / 2, z + depth / 2]
    const across = project(1, 0, 0)
    const inward = project(0, 0, 1)
    const under = project(0, -1, 0)
    const face = (from: [number, number], u: [number, number], v: [number, number], w: number, h: number, paint: string, drawing: string) =>
      `<g transform="matrix(${[...u, ...v, ...from].map((n) => n.toFixed(4)).join(' ')})"><rect width="${w}" height="${h}" fill="${paint}" stroke="${darker(colour, 0.35)}" stroke-width=".4"/>${drawing}</g>`
    const shade = (base: string) => pen.linear([[0, lighter(base, 0.1)], [0.5, base], [1, darker(base, 0.22)]])
    const backward: [number, number] = [-inward[0], -inward[1]]
    const showsLeft = turn < 0
    const sideFace = showsLeft
      ? face(project(left, y + height, far), backward, under, depth, height, shade(darker(colour, 0.28)), side)
      : face(project(right, y + height, near), inward, under, depth, height, shade(darker(colour, 0.28)), side)
    return (
      (Math.abs(turn) > 0.02 ? sideFace : '') +
      face(project(left, y + height, far), across, backward, width, depth, shade(lighter(colour, 0.16)), top) +
      face(project(left, y + height, near), across, under, width, height, shade(colour), front)
    )
  }
}
