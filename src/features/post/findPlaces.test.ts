import { expect, test } from 'vitest'
import { allPlaces } from '#schema/places'
import { findPlaces, placeCandidates, type PlaceSlugs } from './findPlaces.ts'

const places = allPlaces()
const all = placeCandidates(places)
const find = (text: string, last: readonly PlaceSlugs[] = []) =>
  findPlaces(all, places, text, last).map(({ name }) => name)
const bobo = { region: 'guiriko', town: 'bobo-dioulasso', neighbourhood: '' }

test('[S13.42] towns and neighbourhoods are found by their beginning, without accents or hyphens', () => {
  expect(find('ouaga')[0]).toBe('Ouagadougou')
  expect(find('bobo')[0]).toBe('Bobo-Dioulasso')
  expect(find('bobo dioul')[0]).toBe('Bobo-Dioulasso')
  expect(find('KOUDOUGOU')[0]).toBe('Koudougou')
  expect(find('gounghin')[0]).toBe('Gounghin')
  expect(find('gounghin ouaga')[0]).toBe('Gounghin')
  expect(find('hauts-bassins')[0]).toBe('Guiriko')
  expect(find('zzz')).toEqual([])
})

test('[S13.42] a found place has its region and town', () => {
  expect(findPlaces(all, places, 'gounghin', [])[0]).toMatchObject({
    region: 'kadiogo',
    town: 'ouagadougou',
    within: 'Ouagadougou',
  })
})

test('[S13.42] the places used last come first, then the nearest to the last one', () => {
  const first = find('', [bobo, { region: 'kadiogo', town: 'ouagadougou', neighbourhood: '' }])
  expect(first.slice(0, 2)).toEqual(['Bobo-Dioulasso', 'Ouagadougou'])
  expect(first).toHaveLength(6)
  const regions = findPlaces(all, places, '', [bobo]).map(({ region }) => region)
  expect(regions.filter((region) => region === 'guiriko').length).toBeGreaterThan(1)
  expect(find('').slice(0, 2)).toEqual(['Ouagadougou', 'Bobo-Dioulasso'])
  expect(find('ko', [bobo])[0]).not.toBe(find('ko')[0])
})
