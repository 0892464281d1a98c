import * as v from 'valibot'
import { parsed } from '#schema/parsed'
import { keep, stored } from '../../data/session.ts'
import { type PlaceSlugs, samePlace } from './findPlaces.ts'
import type { Form } from './form.ts'

const KEY = 'last_listing'
const PLACES = 4

const place = v.object({ region: v.string(), town: v.string(), neighbourhood: v.string() })
const shape = v.object({
  owner: v.string(),
  category: v.string(),
  title: v.string(),
  price: v.string(),
  places: v.array(place),
})

export type LastListing = v.InferOutput<typeof shape>

/** null: nothing was published here by this person. */
export function lastListing(owner: string): LastListing | null {
  try {
    const last = parsed(shape, JSON.parse(stored(KEY) ?? 'null'))
    return last?.owner === owner ? last : null
  } catch {
    return null
  }
}

export function rememberListing(
  owner: string,
  { category, title, price, region, town, neighbourhood }: Form,
) {
  const here: PlaceSlugs = { region, town, neighbourhood }
  const others = (lastListing(owner)?.places ?? []).filter((one) => !samePlace(one, here))
  keep(
    'local',
    KEY,
    JSON.stringify({
      owner,
      category,
      title: title.trim(),
      price: price.trim(),
      places: [here, ...others].slice(0, PLACES),
    } satisfies LastListing),
  )
}
