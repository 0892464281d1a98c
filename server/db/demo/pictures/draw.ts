import { availableParallelism } from 'node:os'
import sharp from 'sharp'
import * as v from 'valibot'
import { PREVIEW_WIDTH, widthsOf } from '../../../files/address.ts'
import { webp } from '../../../files/darkroom/develop.ts'
import type { Draw } from '../../../files/routes.ts'
import type { FileStore } from '../../../files/storage.ts'
import { turns } from '../../../files/turns.ts'
import type { Database } from '../../open.ts'
import { avatarScene } from './avatar.ts'
import { BACKDROPS } from './backdrops.ts'
import { sizeOf } from './recipe.ts'
import { sceneOf } from './scene.ts'
import { THINGS } from './things.ts'

const named = <T extends object>(list: T) => v.custom<keyof T>((name) => typeof name === 'string' && Object.hasOwn(list, name))
const whole = v.pipe(v.number(), v.integer())
const photo = v.object({ thing: named(THINGS), paint: v.string(), backdrop: named(BACKDROPS), tone: whole, frame: v.number(), view: whole, seed: whole })
const drawing = v.union([photo, v.object({ letter: v.string(), hue: v.number() })])
/** What a row of demo_picture holds. */
export type Drawing = v.InferOutput<typeof drawing>

const turn = turns(availableParallelism())

/**
 * Draws the demo's pictures when they are first asked for and keeps them; who asks for the same at once waits for one drawing.
 * Never more than the recipes in the database, so that made-up addresses cost nothing but a look.
 */
export function drawDemo(database: Database, store: FileStore): Draw {
  const under: Map<string, Promise<Uint8Array | null>> = new Map()
  return (key) => {
    const running = under.get(key) ?? draw(database, store, key).finally(() => under.delete(key))
    under.set(key, running)
    return running
  }
}

async function draw(database: Database, store: FileStore, key: string): Promise<Uint8Array | null> {
  const [room = '', hash = '', name = ''] = key.split('/')
  const row = await database.db.selectFrom('demo_picture').select('recipe').where('hash', '=', hash).executeTakeFirst()
  if (!row) return null
  const recipe = v.parse(drawing, row.recipe)
  const bytes = await turn(() => ('letter' in recipe ? drawAvatar(recipe, room, name) : drawPhoto(recipe, room, name)))
  if (bytes) await store.put(key, bytes)
  return bytes
}

const TARGETS: Record<number, number> = { 160: 8_000, 320: 20_000, 640: 60_000, 1280: 180_000 }

async function drawPhoto(recipe: v.InferOutput<typeof photo>, room: string, name: string): Promise<Uint8Array | null> {
  const widths = widthsOf(sizeOf(recipe).width)
  const width = widths.find((one) => name === `${one}.webp`) ?? (name === `${PREVIEW_WIDTH}.jpg` ? PREVIEW_WIDTH : null)
  if (width === null || room === 'avatars') return null
  const image = sharp(Buffer.from(sceneOf(recipe, width))).flatten({ background: '#808080' })
  return name.endsWith('.jpg') ? image.jpeg({ quality: 76, mozjpeg: true }).toBuffer() : webp(image, TARGETS[width] ?? 180_000)
}

async function drawAvatar({ letter, hue }: { letter: string; hue: number }, room: string, name: string): Promise<Uint8Array | null> {
  const width = { '256.webp': 256, '64.webp': 64 }[name]
  if (width === undefined || room !== 'avatars') return null
  return sharp(Buffer.from(avatarScene(letter, hue, width))).webp({ quality: 80 }).toBuffer()
}
