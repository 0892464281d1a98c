import { sql } from 'kysely'
import { pino } from 'pino'
import * as v from 'valibot'
import { call } from '#schema/wire/call'
import { createApp, routes } from '../../server/app.ts'
import { readConfig } from '../../server/config.ts'
import { writeRoute } from '../../server/route/routes.ts'
import { listen, portOf } from '../../server/http/operations/listen.ts'
import { newId } from '../../server/ids.ts'
import { openLive } from '../../server/live/live.ts'
import { conversationReads } from '../../server/nouns/conversation/queries.ts'
import { publish } from '../../server/live/publish.ts'
import { openAll } from '../../server/open.ts'

/** The server with two more calls: a bare insert without key or lock, and an event to everybody. */
const note = call('bench.note', 'POST', 'bench/notes/', {
  status: 201,
  query: null,
  body: v.object({ content: v.string() }),
  answer: v.object({ id: v.string() }),
})

const insert = writeRoute(note, async ({ body, me, now }, tx) => {
  const id = newId(now.getTime())
  await sql`insert into bench_note (id, author_id, content, created_at)
    values (${id}, ${me.id}, ${body.content}, ${now})`.execute(tx)
  return { id }
})

const tell = call('bench.tell', 'POST', 'bench/announcements/', {
  status: 201,
  query: null,
  body: v.object({}),
  answer: v.object({ people: v.number() }),
})
const announce = writeRoute(tell, async ({ now }, tx) => {
  const people = await tx.selectFrom('app_user').select('id').execute()
  const texts = { fr: 'Maintenance dimanche', en: 'Maintenance on Sunday' }
  publish(tx, {
    to: people.map(({ id }) => id),
    by: null,
    at: now,
    fact: {
      event: 'admin.announcement',
      title: texts,
      message: texts,
      url: '/notifications',
      severity: 'info',
      icon: null,
    },
  })
  return { people: people.length }
})

const config = readConfig(process.env)
const { services: opened } = await openAll(config, pino({ level: 'error' }))
await opened.database.script(
  `create table if not exists bench_note (id text primary key,
    author_id text not null references app_user, content text not null, created_at timestamptz not null)`,
)
const ready = Promise.withResolvers<ReturnType<typeof createApp>['fetch']>()
const server = await listen(config, ready.promise)
const services = { ...opened, publicUrl: `http://localhost:${portOf(server)}` }
const live = await openLive(services, conversationReads)
live.attach(server)
ready.resolve(createApp(services, [...routes, insert, announce]).fetch)
process.stdout.write(`Bench is ready on ${services.publicUrl}\n`)
