import { expect, test } from 'vitest'
import file from '#schema/data/categories.json' with { type: 'json' }
import { specsMetadata } from '#schema/catalogue'
import { categoryWords, findCategories } from './findCategories.ts'

const specs = file.categories.flatMap(({ slug }) => specsMetadata(slug, 2026) ?? [])
const words = categoryWords(file.categories, file.alias_index, specs)
const found = (text: string) => findCategories(words, text)

test('[S13.40] a category is found by the beginning of its names and aliases, in both languages', () => {
  expect(found('moto')[0]).toBe('motos')
  expect(found('tel')[0]).toBe('mobile-tablet')
  expect(found('TÉLÉ')[0]).toBe('mobile-tablet')
  expect(found('voit')).toEqual(['vehicles'])
  expect(found('job')).toEqual(['jobs'])
  expect(found('bebe')[0]).toBe('babies')
})

test('[S13.40] and by what is sold in it', () => {
  expect(found('redmi')).toEqual(['mobile-tablet'])
  expect(found('corolla')).toEqual(['vehicles'])
  expect(found('mouton')).toEqual(['animals'])
  expect(found('machine a laver')).toEqual(['home-garden'])
  expect(found('velo')).toEqual(['sports'])
  expect(found('bœuf')).toEqual(['animals'])
})

test('[S13.40] all of them while nothing is typed, none for a word that no category has', () => {
  expect(found(' ')).toHaveLength(18)
  expect(found('zzz')).toEqual([])
  expect(findCategories(categoryWords(file.categories, file.alias_index, []), 'tel')).toEqual([
    'mobile-tablet',
  ])
})
