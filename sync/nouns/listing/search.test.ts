import { expect, test } from 'vitest'
import type { Query } from '#schema/filter'
import { readFilter } from '#schema/filter'
import meantBy from '#schema/data/misspellings.json' with { type: 'json' }
import { matches, rowOf } from './search.ts'
import { suggestLocally } from './suggestLocally.ts'
import { readListing } from '#schema/listingDocument'

const misspellings = Object.entries(meantBy)
const NOW = Date.UTC(2026, 2, 1)
const listing = (id: string, body: object = {}) => {
  const read = readListing(
    {
      id,
      title: 'Annonce',
      category: 'vehicles',
      region: 'kadiogo',
      town: 'ouagadougou',
      price: 1000,
      posted_at: '2026-02-28T00:00:00Z',
      seller: { id: 'U2', slug: 'boutique-2' },
      ...body,
    },
    NOW,
  )
  if (read === null) throw new Error(id)
  return rowOf(read)
}
const find = (rows: readonly ReturnType<typeof listing>[], query: Query) =>
  matches(new Map(rows.map((row) => [row.id, row])), readFilter(query, 2026).filter, NOW)

test.each<[string, string[]]>([
  ['telephone', ['a']],
  ['TÉLÉ', ['a']],
  ['lephone', []],
  ['neuf telephone', ['a']],
  ['toyota', ['b', 'c']],
  ['vehicule', ['c', 'b']],
  ['ouaga', ['c', 'b', 'a']],
  ['kadiogo', []],
  ['%', ['c', 'b', 'a']],
  ['t', ['c', 'b', 'a']],
])(
  '[S5.07] search "%s": words begin words, without accents, of title, brand, category, town, description',
  (search, ids) => {
    const rows = [
      listing('a', {
        title: 'Téléphone neuf',
        category: 'mobile-tablet',
        description: 'jamais servi',
      }),
      listing('b', { title: 'Toyota Corolla' }),
      listing('c', {
        title: 'Berline',
        description: 'Une Toyota propre',
        specs: { model: 'Yaris' },
      }),
    ]
    expect(find(rows, { search })).toEqual(ids)
  },
)

test('filters hold together; what is not listed is not found', () => {
  const rows = [
    listing('a', { price: 500 }),
    listing('b', { price: 1500 }),
    listing('c', { price: 1500, region: 'guiriko' }),
    listing('d', { price: 1500, status: 'sold', is_sold: true }),
    listing('e', { price: null }),
    listing('f', { price: 1500, category: 'motos' }),
    listing('g', { price: 1500, seller: { id: 'U9', slug: 'autre' } }),
  ]
  expect(find(rows, { category: 'cars', region: 'Centre', price_min: '1000' })).toEqual([
    'g',
    'f',
    'b',
  ])
  expect(
    find(rows, { category: 'cars', region: 'Centre', price_min: '1000', seller: 'boutique-2' }),
  ).toEqual(['f', 'b'])
  expect(find(rows, { seller: 'nobody' })).toEqual([])
  expect(find(rows, { exclude: 'a,b,c,e,f' })).toEqual(['g'])
})

test.each<[string, string]>([
  ['-posted_at', 'edbac'],
  ['posted_at', 'cabde'],
  ['price', 'cadeb'],
  ['-price', 'edacb'],
  ['-views_total', 'aedcb'],
  ['-featured', 'cedba'],
])('order %s ends as the server’s does', (ordering, ids) => {
  const rows = [
    listing('a', { price: 200, views_total: 9 }),
    listing('b', { price: null, posted_at: '2026-02-28T00:00:00Z' }),
    listing('c', { price: 100, posted_at: '2026-02-27T00:00:00Z', is_featured: true }),
    listing('d', { price: 300, posted_at: '2026-02-28T00:00:01Z' }),
    listing('e', { price: 300, posted_at: '2026-02-28T00:00:01Z' }),
  ]
  expect(find(rows, { ordering }).join('')).toBe(ids)
})

const suggest = (rows: readonly ReturnType<typeof listing>[], search: string) =>
  suggestLocally(new Map(rows.map((row) => [row.id, row])), { search }, NOW, 'fr')

test('[S13.50] without a network the listings of the device suggest words with their category', async () => {
  const rows = [
    listing('a', { title: 'Redmi Note 13', category: 'mobile-tablet' }),
    listing('b', { title: 'Redmi 12', category: 'mobile-tablet' }),
    listing('c', { title: 'Redmi Buds', category: 'audio-music', status: 'sold', is_sold: true }),
  ]
  expect(await suggest(rows, 'redm')).toEqual({
    corrected: null,
    searches: [{ words: ['redmi'], category: 'mobile-tablet', example: 'a' }],
  })
})

test.each(misspellings)(
  '[S13.51] without a network "%s" is corrected to "%s"',
  async (typed, right) => {
    const rows = misspellings.map(([, word], at) => listing(`L${at}`, { title: `Vente ${word}` }))
    expect((await suggest(rows, typed)).corrected?.words).toEqual([right])
  },
)
