import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { publish } from '../../live/publish.ts'
import { person, talk, type Person } from '../../../tests/server/support/people.ts'
import { sendMail } from '../../mail/order.ts'
import { testServer, type TestServer } from '../../../tests/server/support/server.ts'

let server: TestServer
let now = new Date()
beforeAll(async () => {
  server = await testServer([], {}, { clock: () => now })
})
afterAll(() => server.close())

let ama: Person
let bila: Person
beforeEach(async () => {
  now = new Date('2026-11-21T12:00:00Z')
  ama = await person(server, 'ama')
  bila = await person(server, 'bila')
  await verify(bila)
  await bila.post('preferences/notifications/', { messages: { email: true } })
})

const verify = (who: Person) =>
  server.services.database.tx((tx) =>
    tx.updateTable('app_user').set({ email_verified_at: now }).where('id', '=', who.id).execute(),
  )
const later = async (minutes: number) => {
  now = new Date(now.getTime() + minutes * 60_000)
  await server.job('mail')
}
/** Oldest first. */
async function mailsTo(who: Person): Promise<string[]> {
  const folder = join(server.services.config.dataDir, 'mail')
  const names = (await readdir(folder).catch(() => [])).toSorted()
  const all = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
  return all.filter((mail) => mail.includes(`<${who.username}@example.com>`))
}
const reviewed = (who: Person) =>
  server.services.database.tx(async (tx) =>
    publish(tx, {
      to: who.id,
      by: null,
      at: now,
      fact: {
        event: 'listing.reviewed',
        listing: 'L1',
        title: 'Vélo',
        image: null,
        decision: 'rejected',
        reason: 'photo floue',
      },
    }),
  )

describe('[S1.02] [D30] [API 12.2] mails of events', () => {
  test('a message is mailed after an hour unread, once per conversation and day', async () => {
    const { id } = await talk(server, ama, bila)
    await ama.post(`conversations/${id}/messages/`, { content: 'Encore' })
    await later(59)
    expect(await mailsTo(bila)).toEqual([])
    await later(2)
    const [mail, ...more] = await mailsTo(bila)
    expect(more).toEqual([])
    expect(mail).toContain('Bonjour')
    expect(mail).toContain(`http://yaar.test/messages/${id}\r\n`)
    await ama.post(`conversations/${id}/messages/`, { content: 'Le soir' })
    await later(120)
    expect(await mailsTo(bila)).toHaveLength(1)
    await later(24 * 60)
    await ama.post(`conversations/${id}/messages/`, { content: 'Le lendemain' })
    await later(61)
    expect(await mailsTo(bila)).toHaveLength(2)
    expect(await mailsTo(ama)).toEqual([])
  })

  test.each([
    [
      'it is read meanwhile',
      async (id: string) => void (await bila.post(`conversations/${id}/mark-read/`)),
    ],
    [
      'the switch goes off',
      async () =>
        void (await bila.post('preferences/notifications/', { messages: { email: false } })),
    ],
    [
      'the address is not verified',
      async () =>
        void (await server.services.database.tx((tx) =>
          tx
            .updateTable('app_user')
            .set({ email_verified_at: null })
            .where('id', '=', bila.id)
            .execute(),
        )),
    ],
  ])('no mail when %s', async (_, happen) => {
    const { id } = await talk(server, ama, bila)
    await happen(id)
    await later(61)
    expect(await mailsTo(bila)).toEqual([])
  })

  test('a decision is mailed at once unless disabled, and after quiet hours', async () => {
    await reviewed(bila)
    await later(0)
    const [mail] = await mailsTo(bila)
    expect(mail).toContain('Vélo : photo floue')
    await bila.post('preferences/notifications/', {
      quiet_hours: { enabled: true, start: '11:00', end: '13:00' },
    })
    await reviewed(bila)
    await later(0)
    expect(await mailsTo(bila)).toHaveLength(1)
    await later(60)
    expect(await mailsTo(bila)).toHaveLength(2)
    await bila.post('preferences/notifications/', { system: { email: false } })
    await reviewed(bila)
    await later(0)
    expect(await mailsTo(bila)).toHaveLength(2)
  })
})

describe('[API 12.2] the mail of an announcement', () => {
  const announce = () =>
    server.services.database.tx((tx) =>
      sendMail(
        tx,
        {
          about: 'announcement',
          user: bila.id,
          title: 'Rentrée',
          text: 'Tout pour l’école',
          path: '/listings',
        },
        now,
      ),
    )
  beforeEach(() => bila.post('preferences/notifications/', { announcements: { email: true } }))

  test('is sent at once, and after quiet hours', async () => {
    await announce()
    await later(0)
    expect(await mailsTo(bila)).toEqual([expect.stringContaining('http://yaar.test/listings\r\n')])
    await bila.post('preferences/notifications/', {
      quiet_hours: { enabled: true, start: '11:00', end: '13:00' },
    })
    await announce()
    await later(0)
    expect(await mailsTo(bila)).toHaveLength(1)
    await later(60)
    expect(await mailsTo(bila)).toHaveLength(2)
  })

  test.each([
    [
      'the switch is off',
      () => bila.post('preferences/notifications/', { announcements: { email: false } }),
    ],
    [
      'the address is not verified',
      () =>
        server.services.database.tx((tx) =>
          tx
            .updateTable('app_user')
            .set({ email_verified_at: null })
            .where('id', '=', bila.id)
            .execute(),
        ),
    ],
  ])('does not come when %s', async (_, happen) => {
    await happen()
    await announce()
    await later(0)
    expect(await mailsTo(bila)).toEqual([])
  })
})
