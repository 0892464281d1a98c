import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import * as v from 'valibot'
import { listMessages, sendMessage } from '#schema/wire/message'
import { newId } from '../../ids.ts'
import { messagesAt } from './queries.ts'
import { person, talk, type Answer, type Person } from '../../../tests/server/support/people.ts'
import { testServer, type TestServer } from '../../../tests/server/support/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer()
})
afterAll(() => server.close())

let buyer: Person
let seller: Person
let at: string
let id: string
beforeEach(async () => {
  buyer = await person(server, 'buyer')
  seller = await person(server, 'seller')
  id = (await talk(server, buyer, seller)).id
  at = `conversations/${id}/messages/`
})

const messages = () =>
  server.services.database.db
    .selectFrom('message')
    .select(['seq', 'content', 'client_id'])
    .where('conversation_id', '=', id)
    .orderBy('seq')
    .execute()
const eventsOf = (who: Person) =>
  server.services.database.db
    .selectFrom('event')
    .select(['name', 'notification_id'])
    .where('user_id', '=', who.id)
    .orderBy('seq')
    .execute()
const seqs = (answer: Answer) => answer.body.results.map((one) => one.seq)
const write = async (n: number) => {
  for (let i = 0; i < n; i += 1) await buyer.post(at, { content: `${i}` })
}

describe('[S7.38] [API 11.5] sending', () => {
  test('returns the message with the next seq, as its author sees it', async () => {
    const key = newId()
    const { status, body } = await buyer.post(at, {
      content: '  Bonjour\r\nencore  ',
      client_id: key,
    })
    expect(status).toBe(201)
    expect(v.is(sendMessage.answer, body)).toBe(true)
    expect(body).toMatchObject({
      conversation: id,
      seq: 2,
      client_id: key,
      content: 'Bonjour\nencore',
      sender_id: buyer.id,
      sender_username: buyer.username,
      attachment: null,
    })
    expect((await seller.get(at)).body.results[0]).toMatchObject({ id: body.id, client_id: null })
  })

  test('[S13.31] an answer names the message it answers, to both sides, and in the socket’s event', async () => {
    const [first] = (await buyer.get(at)).body.results
    const { status, body } = await seller.post(at, { content: 'Oui', reply_to_id: first?.id })
    expect(status).toBe(201)
    expect(v.is(sendMessage.answer, body)).toBe(true)
    expect(body).toMatchObject({ content: 'Oui', reply_to_id: first?.id })
    expect((await buyer.get(at)).body.results[0]).toMatchObject({ reply_to_id: first?.id })
    expect((await buyer.get(`conversations/${id}/init/`)).body).toMatchObject({
      messages: { results: [{ reply_to_id: first?.id }, { reply_to_id: null }] },
    })
    const read = await messagesAt(server.services.database.db, [
      { reader: buyer.id, conversation: id, seq: 2 },
    ])
    expect(read(buyer.id, id, 2)).toMatchObject({ content: 'Oui', reply_to_id: first?.id })
  })

  test('[S13.31] an answer to a message of another conversation, or to none, is refused once and for all', async () => {
    const other = await talk(server, await person(server, 'else'), seller)
    const elsewhere = (await seller.get(`conversations/${other.id}/messages/`)).body.results[0]?.id
    for (const reply_to_id of [elsewhere, newId(), 'no id at all']) {
      const { status, body } = await seller.post(at, { content: 'Oui', reply_to_id })
      expect([reply_to_id, status, body.code]).toEqual([reply_to_id, 400, 'validation_error'])
      expect(body.field_codes).toEqual({ reply_to_id: [{ code: 'invalid' }] })
    }
    expect(await messages()).toHaveLength(1)
    expect((await seller.post(at, { content: 'Oui', reply_to_id: null })).status).toBe(201)
  })

  test('[S13.31] [API 2] a repeated answer gets the first response, another answer under its key 422', async () => {
    const [first] = (await buyer.get(at)).body.results
    const answer = { content: 'Oui', client_id: newId(), reply_to_id: first?.id }
    const sent = await seller.post(at, answer)
    const again = await seller.post(at, answer)
    expect([again.status, again.body]).toEqual([201, sent.body])
    expect((await seller.post(at, { ...answer, reply_to_id: null })).status).toBe(422)
    expect(await messages()).toHaveLength(2)
  })

  test('[API 2] 100 concurrent sends with one key create one message and get the same response', async () => {
    const key = newId()
    const answers = await Promise.all(
      Array.from({ length: 100 }, () =>
        buyer.post(at, { content: 'Une fois' }, { 'Idempotency-Key': key }),
      ),
    )
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1)
    expect(
      answers.filter(({ headers }) => headers.get('Idempotent-Replayed') === 'true'),
    ).toHaveLength(99)
    expect(await messages()).toHaveLength(2)
    expect((await eventsOf(seller)).filter(({ name }) => name === 'message.created')).toHaveLength(
      2,
    )
  })

  test('[API 11.5] concurrent senders leave no gap and no duplicate', async () => {
    const sends = Array.from({ length: 60 }, (_, n) =>
      (n % 2 ? buyer : seller).post(at, { content: `${n}` }),
    )
    const given = (await Promise.all(sends)).map(({ body }) => body.seq)
    expect(given.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 60 }, (_, n) => n + 2))
    expect((await messages()).map(({ seq }) => seq)).toEqual(
      Array.from({ length: 61 }, (_, n) => n + 1),
    )
    expect((await buyer.get(`conversations/${id}/`)).body.unread_count).toBe(30)
  })

  test('[D96] a key returns its message forever, also after its stored response is deleted', async () => {
    const key = newId()
    const first = await buyer.post(at, { content: 'Bonjour' }, { 'Idempotency-Key': key })
    await server.services.database.tx((tx) => tx.deleteFrom('idempotency').execute())
    const again = await buyer.post(at, { content: 'Bonjour' }, { 'Idempotency-Key': key })
    expect([again.status, again.body, again.headers.get('Idempotent-Replayed')]).toEqual([
      201,
      first.body,
      'true',
    ])
    await server.services.database.tx((tx) => tx.deleteFrom('idempotency').execute())
    const other = await buyer.post(at, { content: 'Autre' }, { 'Idempotency-Key': key })
    expect([other.status, other.body.code]).toEqual([422, 'idempotency_key_reused'])
    const elsewhere = await talk(server, buyer, seller)
    expect(
      (
        await buyer.post(
          `conversations/${elsewhere.id}/messages/`,
          { content: 'Bonjour' },
          { 'Idempotency-Key': key },
        )
      ).status,
    ).toBe(422)
    expect((await seller.post(at, { content: 'Bonjour' }, { 'Idempotency-Key': key })).status).toBe(
      201,
    )
    expect(await messages()).toHaveLength(3)
  })

  test('[API 2] the same key with another text is 422, header and body that differ are 400', async () => {
    const key = newId()
    await buyer.post(at, { content: 'Bonjour', client_id: key })
    expect((await buyer.post(at, { content: 'Bonsoir', client_id: key })).status).toBe(422)
    const differs = await buyer.post(
      at,
      { content: 'Bonjour', client_id: key },
      { 'Idempotency-Key': newId() },
    )
    expect(differs.body.field_codes).toEqual({ client_id: [{ code: 'invalid' }] })
  })

  test.each([
    ['nothing', undefined, 'message_empty'],
    ['null', { content: null }, 'message_empty'],
    ['spaces', { content: ' \n ' }, 'message_empty'],
    ['a number', { content: 5 }, 'invalid'],
    ['2,001 characters', { content: 'é'.repeat(2001) }, 'too_long'],
  ])('[API 5.3] %s is refused on content', async (_, body, code) => {
    const answer = await buyer.post(at, body)
    expect([answer.status, answer.body.field_codes?.['content']?.[0]?.code]).toEqual([400, code])
    expect(await messages()).toHaveLength(1)
  })

  test('[API 5.3] at most 2,000 characters, counted as code points', async () => {
    expect((await buyer.post(at, { content: '😀'.repeat(2000) })).status).toBe(201)
  })

  test('[API 11.5] the peer gets a message and a change event, the author’s devices the change', async () => {
    const before = [(await eventsOf(seller)).length, (await eventsOf(buyer)).length]
    await buyer.post(at, { content: 'Bonjour' })
    expect((await eventsOf(seller)).slice(before[0]).map(({ name }) => name)).toEqual([
      'message.created',
      'conversation.updated',
    ])
    expect((await eventsOf(buyer)).slice(before[1]).map(({ name }) => name)).toEqual([
      'conversation.updated',
    ])
  })

  test('[API 12.2] with message notifications off the conversation continues without them', async () => {
    await server.services.database.tx((tx) =>
      tx
        .insertInto('preference')
        .values({
          user_id: seller.id,
          messages_in_app: false,
          messages_push: false,
          updated_at: new Date(),
        })
        .execute(),
    )
    const before = (await eventsOf(seller)).length
    await buyer.post(at, { content: 'Bonjour' })
    expect((await eventsOf(seller)).slice(before)).toEqual([
      { name: 'conversation.updated', notification_id: null },
    ])
    expect((await seller.get('conversations/')).body.unread_total).toBe(2)
  })

  test('[API 1.6] the 31st message in a minute is limited', async () => {
    const limited = await testServer([], { RATE_LIMITS: 'on' })
    const [ama, bila] = [await person(limited), await person(limited)]
    const about = await talk(limited, ama, bila)
    const answers = []
    for (let n = 0; n < 31; n += 1)
      answers.push(await ama.post(`conversations/${about.id}/messages/`, { content: `${n}` }))
    expect(answers.map(({ status }) => status)).toEqual([
      ...Array.from({ length: 30 }, () => 201),
      429,
    ])
    expect(answers.at(-1)?.headers.get('Retry-After')).toMatch(/^\d+$/)
    await limited.close()
  })
})

describe('[S7.37] [API 11.4] reading', () => {
  test('without parameters the newest 30, and next continues with before', async () => {
    await write(39)
    const first = await seller.get(at)
    expect(v.is(listMessages.answer, first.body)).toBe(true)
    expect(seqs(first)).toEqual(Array.from({ length: 30 }, (_, n) => 40 - n))
    expect(first.body).toMatchObject({
      last_seq: 40,
      my_read_until: 0,
      peer_read_until: 0,
      next: `/api/${at}?before=11&page_size=30`,
    })
    await buyer.post(at, { content: 'entre deux' })
    const rest = await seller.get(first.body.next)
    expect(seqs(rest)).toEqual(Array.from({ length: 10 }, (_, n) => 10 - n))
    expect(rest.body.next).toBeNull()
  })

  test('page counts from the newest, and next uses before too', async () => {
    await write(9)
    const second = await buyer.get(`${at}?page=2&page_size=4`)
    expect([seqs(second), second.body.next]).toEqual([
      [6, 5, 4, 3],
      `/api/${at}?before=3&page_size=4`,
    ])
    const beyond = await buyer.get(`${at}?page=4&page_size=4`)
    expect([beyond.status, beyond.body.code]).toEqual([404, 'invalid_page'])
  })

  test('after returns the oldest first, from the start with 0, nothing beyond the end', async () => {
    await write(5)
    const some = await buyer.get(`${at}?after=0&page_size=4`)
    expect([seqs(some), some.body.next]).toEqual([[1, 2, 3, 4], `/api/${at}?after=4&page_size=4`])
    expect(some.headers.get('Cache-Control')).toBe('no-store')
    expect(seqs(await buyer.get(some.body.next))).toEqual([5, 6])
    expect((await buyer.get(`${at}?after=99999999999`)).body).toMatchObject({
      results: [],
      next: null,
    })
    expect((await buyer.get(`${at}?before=1`)).body).toMatchObject({ results: [], next: null })
  })

  test.each([
    'before=3&after=1',
    'before=-1',
    'after=x',
    'after=0197c3f2-6a10-7c31-9d0e-5b1f3a7c2e01',
    'page=0',
    'page_size=-1',
  ])('%s is invalid', async (query) => {
    expect((await buyer.get(`${at}?${query}`)).status).toBe(400)
  })

  test('a page holds at most 100', async () => {
    await server.services.database.tx(async (tx) => {
      const rows = Array.from({ length: 150 }, (_, n) => ({
        id: newId(),
        conversation_id: id,
        seq: n + 2,
        sender_id: buyer.id,
        content: 'x',
        attachment: null,
        client_id: null,
        fingerprint: null,
        created_at: new Date(),
      }))
      await tx.insertInto('message').values(rows).execute()
      await tx.updateTable('conversation').set({ last_seq: 151 }).where('id', '=', id).execute()
    })
    expect(seqs(await buyer.get(`${at}?page_size=500`))).toHaveLength(100)
  })
})
