import { afterAll, beforeAll, expect, test } from 'vitest'
import * as v from 'valibot'
import meantBy from '#schema/data/misspellings.json' with { type: 'json' }
import { suggestions } from '#schema/wire/suggestion'
import { addListing } from '../../../../tests/server/support/sample.ts'
import { testServer, type TestServer } from '../../../../tests/server/support/server.ts'

const misspellings = Object.entries(meantBy)
let server: TestServer
beforeAll(async () => {
  server = await testServer([])
  const { id: seller } = await server.person()
  const add = (title: string, category: string, more: object = {}) =>
    addListing(server.services.database.db, seller, { title, category, ...more })
  for (const [, right] of misspellings) await add(`Vente ${right}`, 'other')
  for (const title of ['Moto Yamaha', 'Moto Apsonic', 'Motos neuves']) await add(title, 'motos')
  await add('Motorola G54', 'mobile-tablet')
  await add('Téléphone Redmi 12', 'mobile-tablet', { description: 'avec motif' })
  await add('Redmi Note 13', 'mobile-tablet')
  await add('Redmi Buds', 'audio-music')
})
afterAll(() => server.close())

const suggested = async (query: string) =>
  v.parse(suggestions, await server.read(`/api/listings/suggestions/?${query}`))

test('[S13.50] words come with the categories that have most of them', async () => {
  expect((await suggested('search=moto')).results).toEqual([
    { search: 'moto', category: 'motos' },
    { search: 'motorola', category: 'mobile-tablet' },
  ])
  expect((await suggested('search=redm')).results).toEqual([
    { search: 'redmi', category: 'mobile-tablet' },
    { search: 'redmi', category: 'audio-music' },
  ])
  expect((await suggested('search=redm&category=audio-music')).results).toEqual([
    { search: 'redmi', category: 'audio-music' },
  ])
  // Only in a description, too short, or nothing at all.
  for (const search of ['motif', 'm', '%25', ''])
    expect(await suggested(`search=${search}`)).toEqual({ corrected: null, results: [] })
})

test.each(misspellings)('[S13.51] "%s" is corrected to "%s"', async (typed, right) => {
  const fold = (text: string | null) => text?.normalize('NFD').replace(/\p{M}/gu, '')
  const { corrected, results } = await suggested(`search=${typed}`)
  expect(fold(corrected)).toBe(right)
  expect(fold(results[0]?.search ?? null)).toBe(right)
})

test('[S13.51] a correction has the accents of the listings, and finds at least one of them', async () => {
  expect((await suggested('search=telefonn&category=mobile-tablet')).corrected).toBe('téléphone')
  expect((await suggested('search=telefonn&category=jobs')).corrected).toBeNull()
  expect((await suggested('search=samsung')).corrected).toBeNull()
})
