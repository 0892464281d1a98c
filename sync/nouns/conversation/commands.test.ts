import { expect, test } from 'vitest'
import { commands } from './commands.ts'
import { readMessage, waitingDocument } from './documents.ts'

const photo = { id: '0197c3f2-6a10-7c31-9d0e-5b1f3a7c2e01', bytes: 200_000 }
const queued = <P>(payload: P) => ({
  id: photo.id,
  owner: 'U1',
  sequence: 1,
  createdAt: 0,
  payload,
})
const { 'conversation.start': start, 'message.send': send } = commands

test('[S2.42] a text is sent as JSON, a photo as a form with text and key, and with a longer deadline', () => {
  const text = send.deliver(queued({ conversation: 'C1', content: 'Bonjour' }))
  expect([text.files, text.deadlineMs]).toEqual([undefined, undefined])
  const both = send.deliver(queued({ conversation: 'C1', content: 'Voici', photo }))
  expect(both).toMatchObject({
    params: { id: 'C1' },
    body: { content: 'Voici', client_id: photo.id },
    files: [{ name: 'attachment', photo: photo.id }],
  })
  expect(both.deadlineMs).toBeGreaterThan(photo.bytes / 4)
})

test('[S2.42] a conversation with a photo starts without a text and with its own key, then sends both', () => {
  const first = queued({ listing: 'L1', content: '', photo })
  expect(start.deliver(first)).toMatchObject({
    body: { listing_id: 'L1' },
    key: `${photo.id}-start`,
  })
  const { keyless, answer } = start.deliver(first)
  expect(keyless).toBeUndefined()
  expect(answer({ id: 'C1', participants: [], listing: { id: 'L1' } })).toEqual({
    next: { ...first.payload, conversation: 'C1' },
    created: { kind: 'conversation', from: 'new-L1', to: 'C1' },
  })
  const second = start.deliver(queued({ ...first.payload, conversation: 'C1' }))
  expect(second).toMatchObject({
    params: { id: 'C1' },
    files: [{ name: 'attachment', photo: photo.id }],
  })
  expect(second.key).toBeUndefined()
})

test('[S2.42] what was changed after it had arrived is offered again without the photo, which is there', () => {
  expect(send.change?.followUp?.({ conversation: 'C1', content: 'Mieux', photo })).toEqual({
    name: 'message.send',
    payload: { conversation: 'C1', content: 'Mieux' },
  })
  expect(
    start.change?.followUp?.({ listing: 'L1', content: 'Mieux', photo, conversation: 'C1' }),
  ).toEqual({ name: 'message.send', payload: { conversation: 'C1', content: 'Mieux' } })
})

test('[S13.31] an answer names the message it answers, and shows it before it is sent', () => {
  const answer = queued({ conversation: 'C1', content: 'Oui', replyTo: 'M1' })
  expect(send.deliver(answer)).toMatchObject({
    body: { content: 'Oui', client_id: photo.id, reply_to_id: 'M1' },
  })
  const plain = queued({ conversation: 'C1', content: 'Oui' })
  expect(send.deliver(plain).body).not.toHaveProperty('reply_to_id')
  const me = { me: 'U1', username: 'awa', language: 'fr' } as const
  expect(waitingDocument(answer, me, 'C1', 'queued').reply_to_id).toBe('M1')
  expect(waitingDocument(plain, me, 'C1', 'queued').reply_to_id).toBeNull()
})

test('[S13.31] [API 19] a message of a server without answers is read as one', () => {
  const row = { id: 'M2', conversation: 'C1', content: 'Oui', sender_id: 'U1' }
  expect(readMessage(row)?.reply_to_id).toBeNull()
  expect(readMessage({ ...row, reply_to_id: 7 })?.reply_to_id).toBe('7')
  expect(readMessage({ ...row, reply_to_id: 'M1' })?.reply_to_id).toBe('M1')
})
