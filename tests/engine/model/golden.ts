import type { Entry } from '#schema/disk/entry'
import { readState } from '#sync/outbox/state'
import { releases, rowsOf } from '../../golden/folder.ts'
import type { Buying } from './buying.ts'
import type { Ledger } from './ledger.ts'
import type { ModelListing } from './listings.ts'
import type { Device } from './device.ts'
import { EPOCH, type ModelServer } from './server.ts'
import type { Selling } from './selling.ts'
import type { Intents } from './intents.ts'
import type { World } from './world.ts'

const OWNER = 'U-awa'
const OTHER = 'U-issa'
/** When the golden rows were written (ms), and one day later. */
const OPENED = Date.UTC(2026, 10, 25, 7)
/** Conversations that the rows name, each with its listing. */
const THREADS: Readonly<Record<string, string>> = {
  C1: 'G1',
  C10: 'G10',
  C11: 'G11',
  C12: 'G12',
  C13: 'G13',
  C14: 'G14',
}
const LISTINGS = ['L1', 'L4', 'L5'] as const
const READ = 7

export interface Left {
  readonly world: World
  readonly server: ModelServer
  readonly device: Device
  readonly ledger: Ledger
  readonly buying: Buying
  readonly selling: Selling
  readonly intents: Intents
}

/** Sets the device up as an earlier release left it (tests/golden). */
export function leave(left: Left): { readonly token: string; readonly user: string } {
  const { world, server, device, ledger } = left
  const release = world.pick(releases()) ?? 1
  const state = readState({
    entries: rowsOf(release, 'entries').map(ownPhotos),
    texts: rowsOf(release, 'texts'),
    meta: rowsOf(release, 'meta')[0],
  })
  device.disk.state = state
  for (const { owner, token } of state.meta.sessions) server.take(token, owner)
  for (const row of rowsOf(release, 'seen'))
    device.disk.seen.set(OWNER, [...(device.disk.seen.get(OWNER) ?? []), String(row['id'])])
  for (const [id, listing] of Object.entries(THREADS)) server.begin(id, listing, OWNER)
  server.begin('C3', 'G3', OTHER)
  server.begin('C20', 'L8', OWNER)
  for (let n = 1; n <= READ; n++) server.sellerWrites(server.thread('C1'), `before ${n}`)
  for (const id of LISTINGS) server.listings.set(id, listed(id))
  server.social.notify(OWNER, 'N1', {
    id: 'N1',
    event: 'system',
    event_id: 'E1',
    ts: new Date(EPOCH).toISOString(),
    title: '',
    message: '',
    tag: '',
    severity: 'info',
    meta: {},
  })
  server.social.notify(OWNER, 'N2', {
    id: 'N2',
    event: 'system',
    event_id: 'E2',
    ts: new Date(EPOCH).toISOString(),
    title: '',
    message: '',
    tag: '',
    severity: 'info',
    meta: {},
  })
  server.social.of(OWNER).searches.set('S1', { id: 'S1', name: 'old', params: '{}' })
  for (const id of LISTINGS)
    ledger.published.set(id, {
      owner: OWNER,
      title: id,
      photos: ['I1.jpg', 'I2.jpg'],
      flags: new Map(),
      gone: null,
      reactivated: [],
    })
  for (const one of state.entries) wanted(one, left)
  // A message that was answered and removed from the outbox left only its id.
  const [over = ''] = state.meta.done
  left.buying.had(over, OWNER, 'G14', 'Arriv\u00e9 et rang\u00e9', {})
  server.addMessage('C14', OWNER, 'Arriv\u00e9 et rang\u00e9', over)
  ledger.cameIn(OWNER)
  device.skew = OPENED - EPOCH
  left.intents.clockJumped = true
  return {
    token: state.meta.sessions.find(({ owner }) => owner === OWNER)?.token ?? '',
    user: OWNER,
  }
}

/** Records the effect that one row must have on the server. */
function wanted(entry: Entry, { server, device, ledger, buying, selling, intents }: Left): void {
  const { id, owner, name, payload, state, tried } = entry
  const text = (member: string): string => String(payload[member])
  const given = (subject: string, value: string): void => intents.had(id, owner, subject, value)
  for (const photo of photosOf(payload))
    device.keepPhoto(photo, typeof payload['draft'] === 'string' ? payload['draft'] : photo, owner)
  switch (name) {
    case 'message.send':
    case 'conversation.start': {
      const conversation = text('conversation')
      const listing =
        name === 'conversation.start'
          ? text('listing')
          : (THREADS[conversation] ??
            (conversation === 'C3' ? 'G3' : conversation.replace('new-', '')))
      const [photo] = photosOf(payload)
      const older = tried.map((one) => String(one.payload['content']))
      buying.had(id, owner, listing, text('content'), {
        ...(photo !== undefined && { photo: `${photo}.jpg` }),
        older,
        moved: state === 'refused' || older.length > 0,
      })
      if (state === 'acknowledged') server.addMessage('C20', owner, text('content'), id)
      return
    }
    case 'conversation.read':
      ledger.reads.push({ owner, conversation: text('conversation'), upTo: READ })
      return
    case 'listing.save':
      return ledger.setSaved(owner, text('listing'), true)
    case 'listing.viewed':
      return given(`view ${text('listing')}`, 'seen')
    case 'notification.read':
      return given(`notice ${text('id')}`, 'read')
    case 'notification.readAll':
      return given(`notices ${text('upTo')}`, 'read')
    case 'preferences.change':
      return given('preference messages push', 'false')
    case 'account.edit':
      for (const member of ['shop_name', 'bio']) given(`profile ${member}`, text(member))
      return
    case 'report.send':
      return given(`report ${text('message')}`, 'once')
    case 'user.block':
      return given(`block ${text('user')}`, 'true')
    case 'user.follow':
      return given(`follow ${text('user')}`, 'true')
    case 'review.write':
      return given(`review ${text('seller')}`, `${text('rating')} ${text('comment')}`)
    case 'search.save':
      return given(`search ${text('name')}`, 'once')
    case 'search.remove':
      return given('search old', '')
    case 'listing.publish':
    case 'listing.edit':
    case 'listing.state':
    case 'listing.reactivate':
    case 'listing.delete':
      return selling.had(entry)
  }
  throw new Error(`nobody knows what becomes of ${name}`)
}

/** Several rows share one photo, which no device does: gives each a photo of its own. */
function ownPhotos(row: Readonly<Record<string, unknown>>): unknown {
  const { payload } = row
  const photos = new Set(photosOf(payload))
  const own = (photo: string): string =>
    `${photo.slice(0, -6)}${String(row['id']).slice(-3)}${photo.slice(-3)}`
  return {
    ...row,
    payload: JSON.parse(JSON.stringify(payload), (_key, value: unknown) =>
      typeof value === 'string' && photos.has(value) ? own(value) : value,
    ) as unknown,
  }
}

function photosOf(payload: unknown): readonly string[] {
  const of = (member: string): unknown => Reflect.get(Object(payload), member)
  const [photo, photos] = [of('photo'), of('photos')]
  return (Array.isArray(photos) ? photos : [photo]).flatMap((one: unknown) =>
    typeof one === 'object' && one !== null ? String(Reflect.get(one, 'id')) : [],
  )
}

function listed(id: string): ModelListing {
  return {
    id,
    owner: OWNER,
    title: id,
    images: ['I1', 'I2'].map((photo) => ({ id: photo, photo: `${photo}.jpg` })),
    flags: new Map(),
    price: 45_000,
    description: 'd',
    version: 3,
    imagesAt: 1,
    steps: [],
    reactivated: [],
    at: 0,
    key: `made-${id}`,
  }
}
