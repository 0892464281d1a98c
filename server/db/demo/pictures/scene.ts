import { type Random, random } from '../random.ts'
import { BACKDROPS, type BackdropName } from './backdrops.ts'
import { mirrored, oval, penFor, rect } from './pen.ts'
import { THINGS, type ThingName } from './things.ts'

/** Everything a picture is drawn from; the same recipe gives the same picture for ever. */
export interface Recipe {
  readonly thing: ThingName
  readonly paint: string
  readonly backdrop: BackdropName
  readonly tone: number
  /** Frame in units; the height is always 300. */
  readonly frame: number
  /** Which of the seller's photos: 0 the whole thing, others nearer or from another side. */
  readonly view: number
  /** Names the place and the light, shared by the photos of one listing. */
  readonly seed: number
}

const HEIGHT = 300

/** The picture as SVG, `width` px wide. */
export function sceneOf(recipe: Recipe, width: number): string {
  const { frame, view, seed } = recipe
  const height = Math.round((width * HEIGHT) / frame)
  const choice = random('scene', seed, view)
  const place = random('place', seed, view % 2)
  const { far, near, tones, floor } = BACKDROPS[recipe.backdrop]
  const tone = tones[recipe.tone % tones.length] ?? tones[0]
  const flat = recipe.backdrop === 'table' || recipe.backdrop === 'cloth' || recipe.backdrop === 'mat'
  const pen = penFor(choice, recipe.paint, turnOf(view, choice))
  const thing = THINGS[recipe.thing](pen)
  const ground = penFor(place, tone.accent, 0)
  const backdrop = near(ground, frame, tone)
  const distance = far(ground, frame, tone)
  const camera = cameraOf(view, choice)
  const shade = penFor(choice, '#000000', 0)
  const soft = shade.blur(flat ? 5 : 7)
  const tight = shade.blur(2.5)
  const fit = Math.min(1, frame / 380)
  const scale = fit * camera.scale
  const x = frame / 2 + camera.x
  const shadow = flat
    ? `<g transform="translate(${x + 5} ${floor + 7}) scale(${scale})" filter="${soft}" opacity=".5"><g>${silhouette(thing)}</g></g>`
    : `<g transform="translate(${x} ${floor}) scale(${scale})">${oval(4, 2, 142, 13, '#000000', `filter="${soft}" opacity=".42"`)}${oval(0, 0, 118, 5, '#000000', `filter="${tight}" opacity=".5"`)}</g>`
  const light = lightOf(choice, frame)
  const zoomed = `translate(${frame / 2} ${HEIGHT / 2}) rotate(${camera.roll}) scale(${camera.zoom}) translate(${-frame / 2 + camera.panX} ${-HEIGHT / 2 + camera.panY})`
  const depth = 1.6 + camera.zoom
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${frame} ${HEIGHT}"><defs>${prefixed(ground.defs(), 'g')}${prefixed(pen.defs(), 't')}${prefixed(shade.defs(), 's')}${light.defs}<filter id="far" x="-5%" y="-5%" width="110%" height="110%"><feGaussianBlur stdDeviation="${depth}"/></filter></defs><g transform="${zoomed}"><g transform="translate(${-frame * 0.15} -45) scale(1.3)"><g filter="url(#far)">${prefixed(distance, 'g')}</g>${prefixed(backdrop, 'g')}</g>${prefixed(shadow, 's')}<g transform="translate(${x} ${floor}) scale(${scale})">${prefixed(camera.mirror ? mirrored(thing) : thing, 't')}</g></g>${light.layer}</svg>`
}

const prefixed = (svg: string, mark: string): string => svg.replaceAll('id="d', `id="${mark}`).replaceAll('url(#d', `url(#${mark}`)

/** The outline of a thing, all black: what it keeps the light from. */
function silhouette(thing: string): string {
  return thing.replaceAll(/(fill|stroke)="(?!none)[^"]*"/g, '$1="#000000"')
}

const turnOf = (view: number, choice: Random): number => [0.45, -0.5, 0.18, -0.24, 0.7][view % 5] ?? 0.4 * choice.next()

function cameraOf(view: number, choice: Random) {
  const near = view === 2 || view === 4
  const zoom = near ? choice.between(1.55, 1.95) : choice.between(0.98, 1.14)
  return {
    scale: choice.between(0.96, 1.12),
    x: near ? 0 : choice.between(-16, 16),
    roll: choice.between(-1.6, 1.6),
    zoom,
    panX: near ? choice.pick([-1, 1]) * choice.between(20, 62) : 0,
    panY: near ? choice.between(-36, -8) : choice.between(-8, 8),
    mirror: view % 2 === 1,
  }
}

/** Daylight from one side, evening or a lamp; darker corners, and what a cheap lens adds. */
function lightOf(choice: Random, frame: number): { defs: string; layer: string } {
  const dull = choice.chance(0.2)
  const warm = choice.pick(['#fff1d6', '#ffffff', '#ffe9c7', '#eef5ff'])
  const side = choice.pick([0.15, 0.3, 0.7, 0.85])
  const defs =
    `<radialGradient id="sun" cx="${side}" cy="0.1" r="0.95"><stop offset="0" stop-color="${warm}" stop-opacity="${dull ? 0.12 : 0.34}"/><stop offset="1" stop-color="${warm}" stop-opacity="0"/></radialGradient>` +
    `<radialGradient id="edge" cx="0.5" cy="0.5" r="0.78"><stop offset="0.55" stop-color="#000" stop-opacity="0"/><stop offset="1" stop-color="#120c06" stop-opacity="${dull ? 0.5 : 0.34}"/></radialGradient>`
  const veil = dull ? rect(0, 0, frame, HEIGHT, '#3d3a36', 'opacity=".2"') : ''
  return { defs, layer: `${veil}${rect(0, 0, frame, HEIGHT, 'url(#sun)')}${rect(0, 0, frame, HEIGHT, 'url(#edge)')}` }
}
