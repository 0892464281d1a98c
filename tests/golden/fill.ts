import type { CommandName, Payload } from '#schema/port/command'
import { commands } from '#sync/nouns/commands'
import { queue, ruleOf } from '#sync/outbox/accept'
import { edit } from '#sync/outbox/edit'
import { textId, withMeta } from '#sync/outbox/state'
import { discard, begin, done, later, pause, refused, takeFence } from '#sync/outbox/transitions'
import type { OpenedDb } from '#sync/outbox/table'
import type { DraftStore } from '#sync/noun'

const NOW = Date.UTC(2026, 10, 24, 7)
const OWNER = 'U-awa'
const OTHER = 'U-issa'
const photo = { id: uuid(900), bytes: 250_000 }
const fields = {
  title: 'Vélo de ville',
  description: 'Peu servi, freins neufs.',
  category: 'vehicles',
  price: 45_000,
  negotiable: true,
  region: 'kadiogo',
  town: 'ouagadougou',
  neighbourhood: null,
  location_note: 'Près du marché',
  contact_phone: '+22670000000',
  specs: { brand: 'Peugeot', year: 2019, insured: false },
}
const change = {
  listing: 'L1',
  draft: uuid(950),
  fields: { price: 40_000 },
  base: { price: 45_000 },
  photos: [{ ...photo, upload: null, round: 0 }],
  images: { order: ['I2', photo.id], before: ['I1', 'I2'] },
  baseVersion: 3,
  wifiOnly: true,
}

/** One payload of every command, with all its optional members. */
const payloads: { readonly [N in CommandName]: Payload<N> } = {
  'message.send': {
    conversation: 'C1',
    content: 'Bonjour, est-il disponible ?',
    photo,
    replyTo: 'M1',
  },
  'conversation.start': { listing: 'L2', content: 'Je passe demain.', photo },
  'conversation.read': { conversation: 'C1', upTo: 7 },
  'listing.save': { listing: 'L1', saved: true },
  'listing.viewed': { listing: 'L1', source: 'browse' },
  'notification.read': { id: 'N1' },
  'notification.readAll': { upTo: 'N2' },
  'preferences.change': {
    messages: { push: false },
    quiet_hours: { start: '22:00', end: '06:00' },
  },
  'account.edit': { shop_name: 'Chez Awa', bio: 'Vélos et pièces', phone: null, language: 'fr' },
  'report.send': { category: 'fraud', message: 'Demande un acompte', listing: 'L3', user: null },
  'user.block': { user: 'U9', blocked: true },
  'user.follow': { user: 'U8', following: true },
  'review.write': { seller: 'U8', rating: 4, comment: 'Sérieux' },
  'search.save': { name: 'Vélos', params: { category: 'vehicles' } },
  'search.remove': { id: 'S1' },
  'listing.publish': {
    draft: uuid(951),
    fields,
    photos: [
      { ...photo, upload: 'up-1', round: 1 },
      { id: uuid(901), bytes: 200_000, upload: null, round: 0 },
    ],
    wifiOnly: false,
  },
  'listing.edit': change,
  'listing.state': { listing: 'L1', flag: 'sold', desired: true },
  'listing.reactivate': { listing: 'L4', days: 30 },
  'listing.delete': { listing: 'L5' },
}

/** Every command, entries in every state, texts, meta, drafts with photos. */
export async function fill({ table, seen, meter }: OpenedDb, drafts: DraftStore): Promise<void> {
  await table.change((state) => {
    const sessions = [
      { owner: OWNER, username: 'awa', token: 'token-of-awa' },
      { owner: OTHER, username: 'issa', token: 'token-of-issa' },
    ]
    const [key, typed] = ['message:C1', 'Je pense que']
    const texts = [{ id: textId(OWNER, key), owner: OWNER, key, content: typed, at: NOW }]
    return {
      state: withMeta({ ...state, texts }, { sessions, language: 'fr', sessionId: 'visitor-1' }),
      result: null,
    }
  })
  let count = 0
  const send = async <N extends CommandName>(
    name: N,
    payload: Payload<N>,
    owner = OWNER,
  ): Promise<string> => {
    const id = uuid(++count)
    const rule = ruleOf(commands, name)
    if (rule)
      await table.change((state) => queue(state, { id, name, payload }, rule, owner, NOW + count))
    return id
  }
  // In sequence: the order of entries is part of the stored data.
  // oxlint-disable-next-line no-await-in-loop
  for (const name of names()) await send(name, payloads[name])
  await send('listing.save', { listing: 'L7', saved: true }, '')
  await send('message.send', { conversation: 'C3', content: 'Encore là ?' }, OTHER)
  await table.change((state) => ({ state: pause(state, OTHER), result: null }))

  const fence = await table.change((state) => takeFence(state, OWNER))
  const sent = async (content: string, conversation: string): Promise<string> => {
    const id = await send('message.send', { conversation, content })
    await table.change((state) => ({ state: begin(state, [id], fence, NOW + 1000), result: null }))
    return id
  }
  await sent('Part en ce moment', 'C10')
  const doubtful = await sent('Peut-être arrivé', 'C11')
  await table.change((state) => ({
    state: later(withMeta(state, { keysKept: true }), doubtful, 'weak', NOW + 60_000, {
      reached: true,
      uncertain: true,
    }),
    result: null,
  }))
  await table.change((state) => edit(state, OWNER, doubtful, 'Peut-être arrivé, corrigé', commands))
  const limited = await sent('Trop à la suite', 'C12')
  await table.change((state) => ({
    state: later(state, limited, 'limit', NOW + 60_000, { reached: true, uncertain: false }),
    result: null,
  }))
  const problem = {
    detail: 'Ce texte ne convient pas.',
    code: 'validation_error',
    field_codes: { content: [{ code: 'forbidden', max: 3 }] },
  }
  const no = await sent('Refusé', 'C13')
  await table.change((state) => ({ state: refused(state, no, problem), result: null }))
  const first = await send('conversation.start', { listing: 'L6', content: 'Premier' })
  await send('message.send', { conversation: 'new-L6', content: 'Second, derrière' })
  await table.change((state) => ({ state: begin(state, [first], fence, NOW + 2000), result: null }))
  await table.change((state) => ({ state: refused(state, first, problem), result: null }))
  const made = await send('conversation.start', { listing: 'L8', content: 'Arrivé' })
  await table.change((state) => ({ state: begin(state, [made], fence, NOW + 3000), result: null }))
  await table.change((state) => ({
    state: withMeta(
      done(
        state,
        made,
        { id: 'C20', message: { id: 'M1' } },
        { kind: 'conversation', from: 'new-L8', to: 'C20' },
      ),
      { claimed: ['M1'] },
    ),
    result: null,
  }))
  const over = await sent('Arrivé et rangé', 'C14')
  await table.change((state) => ({
    state: discard(done(state, over, { id: 'M2' }, null), over),
    result: null,
  }))

  for (const id of ['E1', 'E2']) await seen.add(OWNER, id)
  await meter.add('2026-11-23', 1200, 34_000)
  await meter.add('2026-11-24', 300, 9000)
  const file = new Blob([new Uint8Array([0xff, 0xd8, 0xff, 0xd9])], { type: 'image/jpeg' })
  await drafts.save({
    id: uuid(951),
    owner: OWNER,
    fields: { ...fields, step: 'review' },
    photos: [uuid(901)],
    listing: null,
    at: NOW,
  })
  await drafts.save({
    id: uuid(950),
    owner: OWNER,
    fields: { price: '40000' },
    photos: ['I2', photo.id],
    listing: 'L1',
    at: NOW,
  })
  await drafts.savePhoto({
    id: uuid(901),
    draft: uuid(951),
    owner: OWNER,
    file,
    bytes: 4,
    width: 1600,
    height: 1200,
  })
  await drafts.savePhoto({
    id: photo.id,
    draft: uuid(950),
    owner: OWNER,
    file,
    bytes: 4,
    width: 1600,
    height: 1200,
  })
}

function names(): readonly CommandName[] {
  return Object.keys(payloads).filter((name): name is CommandName => Object.hasOwn(payloads, name))
}

function uuid(n: number): string {
  return `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`
}
