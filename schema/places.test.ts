import { expect, test } from 'vitest'
import * as v from 'valibot'
import {
  allPlaces,
  distanceKm,
  pointOf,
  resolveNeighbourhoods,
  resolveRegions,
  resolveTowns,
  suggestPlaces,
} from './places.ts'
import { places } from './wire/catalogue.ts'

test('[S2.46] a region answers to slug, name, alias and former name; a parted one to all its parts [D64]', () => {
  expect(resolveRegions('KADIOGO')).toEqual(['kadiogo'])
  expect(resolveRegions('hauts bassins')).toEqual(['guiriko'])
  expect(resolveRegions('Est').toSorted()).toEqual(['goulmou', 'sirba', 'tapoa'])
  expect(resolveRegions('boucle du mouhoun').toSorted()).toEqual(['bankui', 'sourou'])
  expect(resolveRegions('Sahel').toSorted()).toEqual(['liptako', 'soum'])
  expect(resolveRegions('Atlantide')).toEqual([])
})

test('[S2.46] towns and neighbourhoods answer to alias too, within their region or town when one is given', () => {
  expect(resolveTowns('Ouaga')).toEqual(['ouagadougou'])
  expect(resolveTowns('ouaga', 'guiriko')).toEqual([])
  expect(resolveNeighbourhoods('Hamdalaye')).toHaveLength(2)
  expect(resolveNeighbourhoods('hamdalaye', 'bobo-dioulasso')).toEqual([
    'bobo-dioulasso--hamdalaye',
  ])
  expect(resolveNeighbourhoods('')).toEqual([])
})

test('[S7.23] suggestions: exact, prefix, prefix of a word, then by weight; at most ten', () => {
  const bobo = suggestPlaces('bobo', 'fr')
  expect(bobo[0]).toMatchObject({
    type: 'town',
    slug: 'bobo-dioulasso',
    label: 'Bobo-Dioulasso, Guiriko',
  })
  expect(suggestPlaces('hauts-bassins', 'fr')[0]).toMatchObject({
    type: 'region',
    slug: 'guiriko',
    label: 'Guiriko (ex-Hauts-Bassins)',
    town: null,
  })
  expect(suggestPlaces('hauts-bassins', 'en')[0]?.label).toBe('Guiriko (formerly Hauts-Bassins)')
  expect(suggestPlaces('patte d oie', 'fr')[0]).toMatchObject({
    type: 'neighbourhood',
    town: 'ouagadougou',
    region: 'kadiogo',
  })
  expect(suggestPlaces('oie', 'fr').map(({ slug }) => slug)).toEqual(['ouagadougou--patte-doie'])
  expect(suggestPlaces('o', 'fr')).toHaveLength(10)
  expect(suggestPlaces('  ', 'fr')).toEqual([])
})

test('[S7.23] the whole gazetteer has the shape of the wire', () => {
  expect(v.is(places, allPlaces())).toBe(true)
  expect(allPlaces().regions).toHaveLength(17)
})

test('[F15] [S7.03] a listing lies in its neighbourhood, else its town, else the chief town; distances in km', () => {
  const ouaga = pointOf({ region: 'kadiogo', town: 'ouagadougou', neighbourhood: null })
  expect(pointOf({ region: 'kadiogo', town: null, neighbourhood: null })).toEqual(ouaga)
  expect(
    pointOf({
      region: 'guiriko',
      town: 'bobo-dioulasso',
      neighbourhood: 'bobo-dioulasso--accart-ville',
    }),
  ).toEqual({ lat: 11.18, lon: -4.3 })
  expect(pointOf({ region: 'atlantide', town: null, neighbourhood: null })).toBeNull()
  const bobo = pointOf({ region: 'guiriko', town: null, neighbourhood: null })
  expect(ouaga && bobo && Math.round(distanceKm(ouaga, bobo))).toBe(330)
})
