import sharp from 'sharp'
import { thumbHashToAverageRGBA } from 'thumbhash'
import { expect, test } from 'vitest'
import { listingsOf } from '../listing.ts'
import { drawPeople } from '../person.ts'
import { random } from '../random.ts'
import { BACKDROPS, type BackdropName } from './backdrops.ts'
import { hashOf, recipeOf, sizeOf } from './recipe.ts'
import { type Recipe, sceneOf } from './scene.ts'
import { sketchOf } from './sketch.ts'
import { THINGS, type ThingName } from './things.ts'

const plain: Recipe = { thing: 'sedan', paint: '#2a5aa8', backdrop: 'street', tone: 0, frame: 400, view: 0, seed: 1 }
const listing = listingsOf(drawPeople(200))

function names<T extends string>(list: Readonly<Record<T, unknown>>): T[] {
  const keys: T[] = []
  for (const name in list) keys.push(name)
  return keys
}

async function drawn(recipe: Recipe, width = 80) {
  const { data } = await sharp(Buffer.from(sceneOf(recipe, width))).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  return data
}

test('[S1.06] everything can be drawn from every side, and is seen', async () => {
  const unseen: string[] = []
  for (const view of [0, 1, 2]) {
    // The thing with the fewest pixels stands for the empty place.
    const empty = await drawn({ ...plain, thing: 'jewels', view, seed: 5 })
    for (const thing of names<ThingName>(THINGS).filter((name) => name !== 'jewels')) {
      const pixels = await drawn({ ...plain, thing, view, seed: 5 })
      const changed = pixels.filter((value, at) => Math.abs(value - (empty[at] ?? 0)) > 24).length / pixels.length
      if (changed < 0.02) unseen.push(`${thing} ${view}`)
    }
  }
  expect(unseen).toEqual([])
}, 120_000)

test('[S1.06] no drawing names a number that is none', () => {
  for (const thing of names<ThingName>(THINGS)) for (const backdrop of names<BackdropName>(BACKDROPS)) expect([thing, sceneOf({ ...plain, thing, backdrop }, 320).match(/NaN|undefined|Infinity/)]).toEqual([thing, null])
})

test('[S1.06] one recipe is one picture; another view another address', () => {
  expect(sceneOf(plain, 320)).toBe(sceneOf({ ...plain }, 320))
  expect(hashOf(plain)).toBe(hashOf({ ...plain }))
  expect(hashOf({ ...plain, view: 1 })).not.toBe(hashOf(plain))
  expect(sceneOf({ ...plain, view: 1 }, 320)).not.toBe(sceneOf(plain, 320))
})

test('[S1.06] a listing shows its own kind of thing, in its colour', () => {
  const shown = Array.from({ length: 600 }, (_, n) => ({ ...listing(n).subject, ...recipeOf(listing(n), 0) }))
  const things = (category: string) => [...new Set(shown.filter((one) => one.category === category).map(({ thing }) => thing))]
  expect(['sedan', 'suv', 'pickup', 'van', 'truck', 'hatchback']).toEqual(expect.arrayContaining(things('vehicles')))
  expect(['sheep', 'goat', 'cow', 'hen', 'chicks', 'rabbit', 'dog', 'parrot', 'incubator', 'sacks']).toEqual(expect.arrayContaining(things('animals')))
  expect(things('vehicles').length).toBeGreaterThan(2)
  expect(new Set(shown.filter(({ colour }) => colour === 'Noir').map(({ paint }) => paint))).toEqual(new Set(['#26282d']))
})

test('[S1.06] what stands for a picture has its shape and about its colour', async () => {
  for (const n of [20, 21, 22, 23, 24, 25, 26, 27]) {
    const recipe = recipeOf(listing(n), 0)
    const { thumbhash, color } = sketchOf(recipe)
    const { r, g, b } = thumbHashToAverageRGBA(Buffer.from(thumbhash, 'base64'))
    const pixels = await drawn(recipe)
    const mean = [0, 1, 2].map((channel) => pixels.filter((_, at) => at % 3 === channel).reduce((sum, value) => sum + value, 0) / (pixels.length / 3))
    for (const [at, value] of [r, g, b].entries()) expect([n, Math.abs(value * 255 - (mean[at] ?? 0)) < 70]).toEqual([n, true])
    expect(color).toMatch(/^#[0-9a-f]{6}$/)
    const { width, height } = sizeOf(recipe)
    expect(Math.abs(width / height - recipe.frame / 300)).toBeLessThan(0.01)
  }
})

test('[S1.06] chance is fair, and the same each time', () => {
  const choice = random('test', 1)
  const draws = Array.from({ length: 20_000 }, () => choice.whole(0, 9))
  for (let digit = 0; digit < 10; digit += 1) expect(Math.abs(draws.filter((one) => one === digit).length - 2000)).toBeLessThan(250)
  expect(random('test', 1).next()).toBe(random('test', 1).next())
  expect(random('test', 1).next()).not.toBe(random('test', 2).next())
})
