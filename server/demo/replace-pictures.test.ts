import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestServer, testServer } from '../../tests/server/support/server.ts'
import { migrations, statements } from '../db/migrate.ts'
import { fillDemo } from './fill.ts'
import { pictureRows, things } from './pictures.ts'
import { replacePictures } from './replace-pictures.ts'

const FILLED_AT = new Date('2026-07-01T09:00:00Z')
const STARTED_AT = new Date('2026-08-01T09:00:00Z')
const kindOf = new Map(pictureRows.map(({ hash, kind }) => [hash, kind]))
let server: TestServer
beforeAll(async () => {
  server = await testServer()
  await fillDemo(server.services.database, { listings: 80, users: 120 }, FILLED_AT.getTime())
})
afterAll(() => server.close())

async function rows<T>(query: string): Promise<T[]> {
  return (await sql.raw<T>(query).execute(server.services.database.db)).rows
}

/**
 * Gives every picture an address without a file, as in a database with an older set of pictures.
 */
async function outdate(): Promise<void> {
  await rows(
    `insert into demo_picture (hash, kind, colour)
     select md5(p.id), d.kind, d.colour from picture p join demo_picture d using (hash)`,
  )
  await rows(
    "update picture set hash = md5(id), width = 1600, height = 900, thumbhash = 'old', color = '#000000'",
  )
  await rows(
    `insert into demo_picture (hash, kind, colour) select md5(m.id), d.kind, d.colour
     from message m join demo_picture d on d.hash = m.attachment->>'hash'`,
  )
  await rows(
    `update message set attachment = attachment || jsonb_build_object('hash', md5(id), 'width', 1600)
     where attachment is not null`,
  )
  await rows(
    "insert into demo_picture (hash, kind) select md5(id), 'avatar' from app_user where avatar is not null",
  )
  await rows(
    "update app_user set avatar = '/media/avatars/' || md5(id) || '/256.webp' where avatar is not null",
  )
  await rows(
    `delete from demo_picture where hash in (${pictureRows.map(({ hash }) => `'${hash}'`).join()})`,
  )
}

test('[S1.06] outdated demo pictures are replaced by current ones of their kind; devices see a change', async () => {
  await outdate()
  await rows(
    "update picture set hash = 'uploaded0', width = 400 where id = (select max(id) from picture)",
  )
  const before = await rows<{ id: string; kind: string }>(
    'select p.id, d.kind from picture p join demo_picture d using (hash)',
  )
  const sent = await rows<{ id: string; kind: string; attachment: string }>(
    `select m.id, d.kind, m.attachment->>'id' as attachment
       from message m join demo_picture d on d.hash = m.attachment->>'hash'`,
  )
  const [feed] = await rows<{ last: number }>('select last from listing_counter')
  expect([before.length > 80, sent.length > 0]).toEqual([true, true])

  await replacePictures(server.services.database, STARTED_AT)

  const photos = new Map(
    (
      await rows<{ id: string; hash: string; width: number; height: number; color: string }>(
        'select id, hash, width, height, color from picture',
      )
    ).map((row) => [row.id, row]),
  )
  expect(before.filter(({ id, kind }) => kindOf.get(photos.get(id)?.hash ?? '') !== kind)).toEqual(
    [],
  )
  for (const { hash, width, height, color } of things.flatMap((thing) => thing.photos)) {
    for (const row of [...photos.values()].filter((one) => one.hash === hash))
      expect(row).toMatchObject({ width, height, color })
  }
  expect([...photos.values()].filter(({ hash }) => !kindOf.has(hash))).toMatchObject([
    { hash: 'uploaded0', width: 400 },
  ])
  const attachments = new Map(
    (
      await rows<{ id: string; attachment: { id: string; hash: string; width: number } }>(
        'select id, attachment from message where attachment is not null',
      )
    ).map((row) => [row.id, row.attachment]),
  )
  expect(
    sent.filter(
      ({ id, kind, attachment }) =>
        kindOf.get(attachments.get(id)?.hash ?? '') !== kind ||
        attachments.get(id)?.id !== attachment,
    ),
  ).toEqual([])
  expect(
    await rows(
      `select from app_user where avatar is not null and not exists (
         select from demo_picture d where avatar = '/media/avatars/' || d.hash || '/256.webp')`,
    ),
  ).toEqual([])
  expect(
    await rows(
      `select id from listing l where images_count > 0 and updated_at <> '${STARTED_AT.toISOString()}'
        and exists (select from picture p join demo_picture d using (hash) where p.listing_id = l.id)`,
    ),
  ).toEqual([])
  expect(
    Number((await rows<{ last: number }>('select last from listing_counter'))[0]?.last),
  ).toBeGreaterThan(Number(feed?.last))
  const shown = await rows<{ path: string }>(
    `(select '/media/images/' || hash || '/320.webp' as path from picture
       where hash <> 'uploaded0' limit 3)
     union (select avatar from app_user where avatar is not null limit 2)
     union (select '/media/attachments/' || (attachment->>'hash') || '/640.jpg' from message
       where attachment is not null limit 1)`,
  )
  for (const { path } of shown)
    expect([path, (await server.app.request(path)).status]).toEqual([path, 200])
})

test('[S1.06] current pictures are not changed', async () => {
  const listings =
    'select id, updated_at, (select count(*) from demo_picture) as pictures from listing order by id'
  const before = await rows(listings)
  await replacePictures(server.services.database, new Date('2026-09-01T09:00:00Z'))
  expect(await rows(listings)).toEqual(before)
})

test('[S1.06] the migration stores kind and colour from the recipes of generated pictures', async () => {
  const { database } = server.services
  const run = async (name: string) => {
    for (const statement of statements(migrations().find((one) => one.name === name)?.sql ?? ''))
      await sql.raw(statement).execute(database.db)
  }
  await rows('drop table demo_picture')
  await run('030-demo.sql')
  await sql`insert into demo_picture (hash, recipe) values
    ('a', '{"thing": "keypadPhone", "paint": "#26282d", "backdrop": "table", "tone": 1,
      "frame": 400, "view": 0, "seed": 7}'),
    ('b', '{"thing": "sedan", "paint": "#c0602c", "backdrop": "street", "tone": 1,
      "frame": 400, "view": 0, "seed": 7}'),
    ('c', '{"letter": "A", "hue": 24}')`.execute(database.db)
  await run('043-demo-picture-files.sql')
  expect(
    (await sql`select hash, kind, colour from demo_picture order by hash`.execute(database.db))
      .rows,
  ).toEqual([
    { hash: 'a', kind: 'keypad-phone', colour: 'Noir' },
    { hash: 'b', kind: 'sedan', colour: null },
    { hash: 'c', kind: 'avatar', colour: null },
  ])
})
