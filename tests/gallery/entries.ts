import type { Entry } from '#schema/disk/entry'
import type { ListingDraft } from '#schema/disk/draft'
import { changedElsewhere } from './market.ts'

/** Rows of a device: what waits in the outbox, and a listing being written. */

const now = Date.now()
const MINUTE_MS = 60_000
const uuid = (number: number): string =>
  `0190a000-0000-7000-8000-${String(number).padStart(12, '0')}`

function entry(number: number, content: string, more: Partial<Entry>): Entry {
  return {
    id: uuid(number),
    sequence: number,
    owner: 'U1',
    lane: 'conversation:C0',
    low: false,
    name: 'message.send',
    payload: { conversation: 'C0', content },
    state: 'waiting',
    why: 'offline',
    problem: null,
    answer: null,
    after: null,
    bornAt: now - number * MINUTE_MS,
    triedAt: 0,
    uncertain: false,
    tried: [],
    tries: 0,
    notBefore: 0,
    fence: 1,
    bytes: 900,
    wifiOnly: false,
    ...more,
  }
}

const problem = (code: string) => ({ detail: code, code })

export const waiting = [entry(1, 'Je peux passer samedi ?', {})]
export const sending = [entry(1, 'Je peux passer samedi ?', { state: 'sending', why: null })]
export const uncertain = [
  entry(1, 'Je peux passer samedi ?', { uncertain: true, tries: 2, triedAt: now, why: 'server' }),
]
export const refused = [
  entry(1, 'Je peux passer samedi ?', { state: 'refused', problem: problem('blocked') }),
]
/** The second one waits for what the first one's person decides. */
export const parked = [
  entry(1, 'Je peux passer samedi ?', { state: 'refused', problem: problem('retry_data') }),
  entry(2, 'À quelle heure ?', { why: 'behind' }),
]
export const signedOut = [entry(1, 'Je peux passer samedi ?', { state: 'signed-out', why: null })]
export const publishing = [
  entry(1, '', {
    lane: 'listing',
    name: 'listing.publish',
    payload: {
      draft: uuid(1),
      fields: {
        title: 'Vélo de ville',
        description: 'Cadre solide.',
        category: 'sports',
        price: 45_000,
        negotiable: false,
        region: 'kadiogo',
        town: 'ouagadougou',
        neighbourhood: null,
        location_note: null,
        contact_phone: null,
        specs: {},
      },
      photos: [],
      wifiOnly: true,
    },
    why: 'wifi',
    wifiOnly: true,
    bytes: 640_000,
  }),
]

export const DRAFT = uuid(9)

const edit = (more: Partial<Entry>) =>
  entry(1, '', {
    lane: 'listing:L0',
    name: 'listing.edit',
    payload: {
      listing: 'L0',
      draft: DRAFT,
      fields: { price: 580_000 },
      base: { price: 595_000 },
      photos: [],
      images: null,
      baseVersion: 1,
      wifiOnly: false,
    },
    ...more,
  })

export const editing = [edit({})]
/** The price was changed elsewhere, too. */
export const conflicting = [
  edit({
    state: 'refused',
    why: null,
    problem: { ...problem('edit_conflict'), current: changedElsewhere },
  }),
]

export const draft = (text: string): ListingDraft => ({
  id: DRAFT,
  owner: 'U1',
  fields: {
    category: 'motos',
    title: text,
    description: text,
    price: '595000',
    region: 'kadiogo',
    town: 'ouagadougou',
    phone: '70 12 34 56',
    specs: { brand: 'yamaha' },
  },
  photos: [],
  listing: null,
  at: now - 5 * MINUTE_MS,
})
