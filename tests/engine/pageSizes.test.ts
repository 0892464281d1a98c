import { afterEach, expect, test } from 'vitest'
import { card, Reader, refused } from './reader.ts'

const open: Reader[] = []
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
})

/** A server that returns as many rows as the query asks for. */
async function openReader(): Promise<Reader> {
  const made = await Reader.open(({ query }) => {
    const size = Number(query['page_size'])
    if (!Number.isFinite(size)) return refused(400, 'validation_error')
    return {
      body: {
        count: 100,
        next: null,
        results: Array.from({ length: size }, (_, n) => card(`L${n}`, n)),
      },
    }
  })
  open.push(made)
  return made
}

const sizesOf = (reader: Reader, name: string) =>
  reader.asked.filter((one) => one.name === name).map(({ query }) => query['page_size'])

test('[S9.21] recommendations are fetched in pages of 20, even when a screen asks for more', async () => {
  const reader = await openReader()
  const held = reader.watch('listings.recommended', { type: 'recent', limit: 40 })
  await expect.poll(() => held()?.rows.length).toBe(20)
  expect(sizesOf(reader, 'listing.recommend')).toEqual([20])
})

test('[S9.19] twelve related listings are fetched, and never more', async () => {
  const reader = await openReader()
  const first = reader.watch('listings.recommended', { type: 'recent', limit: 1 })
  await expect.poll(() => first()?.rows.length).toBe(1)
  const held = reader.watch('listings.related', { id: first()?.rows[0]?.id ?? '' })
  await expect.poll(() => held()?.rows.length).toBe(12)
  expect(sizesOf(reader, 'listing.browse')).toEqual([12])
})
