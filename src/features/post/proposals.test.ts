import { expect, test } from 'vitest'
import { specFields } from '#schema/catalogue'
import { proposalsFrom, withProposals } from './proposals.ts'

const of = (category: string, title: string) => proposalsFrom(title, specFields(category, 2026))

test.each<[category: string, title: string, proposals: Record<string, string>]>([
  [
    'mobile-tablet',
    'Redmi Note 13 256 Go',
    { brand: 'Xiaomi', model: 'Redmi Note 13', internal_storage: '256gb', device_type: 'phone' },
  ],
  [
    'mobile-tablet',
    'REDMI NOTE 13 Pro+ 5G, 8/256Go neuf',
    {
      brand: 'Xiaomi',
      model: 'Redmi Note 13 Pro',
      ram: '8gb',
      internal_storage: '256gb',
      network: '5g',
      condition: 'new',
      device_type: 'phone',
    },
  ],
  [
    'mobile-tablet',
    'iphone 13 pro max 1 To bleue',
    {
      brand: 'Apple',
      model: 'iPhone 13 Pro Max',
      internal_storage: '1tb',
      color: 'Bleu',
      device_type: 'phone',
    },
  ],
  [
    'mobile-tablet',
    'Samsung Galaxy Tab A8 64 Go',
    {
      brand: 'Samsung',
      model: 'Galaxy Tab A8',
      internal_storage: '64gb',
      device_type: 'tablet',
    },
  ],
  [
    'mobile-tablet',
    'Tecno Camon 20, 256 Go, double SIM',
    {
      brand: 'Tecno',
      model: 'Camon 20',
      internal_storage: '256gb',
      sim: 'dual-sim',
      device_type: 'phone',
    },
  ],
  [
    'mobile-tablet',
    'Infinix 4 Go RAM, 5000 mAh',
    { brand: 'Infinix', ram: '4gb', battery: '5000' },
  ],
  ['mobile-tablet', 'Téléphone écran 6,7 pouces', { device_type: 'phone', screen_size: '6,7' }],
  ['mobile-tablet', 'Téléphone à touches 16 Go', { device_type: 'phone' }],
  ['mobile-tablet', 'Nokia 105 d’occasion', { brand: 'Nokia', model: '105', condition: 'used' }],
  ['vehicles', 'Toyota Corolla 2008', { brand: 'Toyota', model: 'Corolla', year: '2008' }],
  [
    'vehicles',
    'TOYOTA RAV 4 2012 essence boîte automatique 120 000 km',
    {
      brand: 'Toyota',
      model: 'RAV4',
      year: '2012',
      fuel: 'petrol',
      transmission: 'automatic',
      mileage: '120000',
    },
  ],
  [
    'vehicles',
    'Mercedes-Benz C 200 gasoil, 95.000km',
    { brand: 'Mercedes-Benz', model: 'C 200', fuel: 'diesel', mileage: '95000' },
  ],
  [
    'vehicles',
    'Duster 2019 manuelle',
    { brand: 'Renault', model: 'Duster', year: '2019', transmission: 'manual' },
  ],
  ['vehicles', 'Voiture 2012 F CFA par jour', {}],
  ['vehicles', 'Camion 1950', {}],
  [
    'motos',
    'Yamaha Sirius 115, 2023, papiers à jour',
    { brand: 'Yamaha', model: 'Sirius 115', year: '2023' },
  ],
  [
    'motos',
    'Scooter Kymco 125cc neuve',
    { type: 'scooter', brand: 'Kymco', engine_cc: '125', condition: 'new' },
  ],
  [
    'properties',
    'Villa 3 chambres salon à louer, Karpala, 300 m²',
    { offer_type: 'rent', property_type: 'house', bedrooms: '3', size_sqm: '300' },
  ],
  ['properties', 'Parcelle à vendre non meublée', { offer_type: 'sale', property_type: 'land' }],
  ['properties', 'Appartement meublé', { property_type: 'apartment', furnished: 'true' }],
  [
    'computers',
    'HP EliteBook Core i5, 8 Go, SSD 256 Go',
    { brand: 'HP', ram: '8gb', storage: '256gb', storage_type: 'ssd' },
  ],
  ['computers', 'Ordinateur portable 64 Go', { type: 'laptop' }],
  [
    'fashion',
    'Chaussures Nike homme pointure 42',
    { type: 'shoes', brand: 'Nike', gender: 'men', size: '42' },
  ],
  ['fashion', 'Sac en cuir', { material: 'Cuir' }],
  ['games-consoles', 'Manette PS 4', { type: 'controller' }],
  ['animals', 'Moutons de race bali-bali, lot de 4', { type: 'sheep' }],
  [
    'audio-music',
    'Enceinte Bluetooth JBL 100 W',
    { type: 'speaker', brand: 'JBL', power_w: '100', bluetooth: 'true' },
  ],
  ['services', 'Plombier, dépannage 7 j/7 à Ouaga', {}],
  ['vehicles', '', {}],
])('[S13.43] %s: “%s”', (category, title, proposals) => {
  expect(of(category, title)).toEqual(proposals)
})

test('[S13.43] a model of several brands, or of another brand than the title’s, is not proposed', () => {
  const fields = specFields('motos', 2026)
  expect(proposalsFrom('Honda YBR 125', fields)['model']).toBeUndefined()
  expect(proposalsFrom('Honda CG 125', fields)['model']).toBe('CG 125')
})

test('[S13.43] proposals never replace what a person wrote or cleared, and follow the title', () => {
  const first = withProposals({ color: 'Noir' }, [], { brand: 'Toyota', color: 'Bleu' })
  expect(first).toEqual({ specs: { color: 'Noir', brand: 'Toyota' }, proposed: ['brand'] })
  const next = withProposals(first.specs, first.proposed, { model: 'Corolla' })
  expect(next).toEqual({ specs: { color: 'Noir', model: 'Corolla' }, proposed: ['model'] })
  const cleared = withProposals({ ...next.specs, model: '' }, [], { model: 'Corolla' })
  expect(cleared).toEqual({ specs: { color: 'Noir', model: '' }, proposed: [] })
})

test('[S13.43] a title of 120 characters is read within milliseconds', () => {
  const fields = specFields('mobile-tablet', 2026)
  const title = 'Redmi Note 13 256 Go '.repeat(6).slice(0, 120)
  const times = Array.from({ length: 100 }, () => {
    const began = performance.now()
    proposalsFrom(title, fields)
    return performance.now() - began
  })
  // The median: a busy machine may stop for seconds.
  expect(times.toSorted((a, b) => a - b)[50]).toBeLessThan(10)
})
