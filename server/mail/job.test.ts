import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { startJobs } from '../jobs/run.ts'
import { wake } from '../jobs/wake.ts'
import type { Services } from '../route/services.ts'
import { testServer, type Person, type TestServer } from '../../tests/server/support/server.ts'
import { letterOf } from '../nouns/account/letters.ts'
import { mailJob } from './job.ts'
import { openMailer, type Mailer } from './mailer.ts'
import { sendMail } from './order.ts'

/**
 * The part of RFC 5321 that one mail needs. Mails to `slow@…` wait for `answer`; `no@…` has no
 * mailbox.
 */
class MailServer {
  readonly delivered: string[] = []
  /** Addresses whose mails were received and not answered yet. */
  readonly waiting: string[] = []
  readonly #server: Server
  readonly #answered = Promise.withResolvers<void>()
  readonly #sockets = new Set<Socket>()

  constructor(port = 0) {
    this.#server = createServer((socket) => this.#speak(socket)).listen(port, '127.0.0.1')
  }

  async port(): Promise<number> {
    if (!this.#server.listening) await once(this.#server, 'listening')
    const address = this.#server.address()
    return typeof address === 'object' && address !== null ? address.port : 0
  }

  answer(): void {
    this.#answered.resolve()
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    this.#server.close()
    await once(this.#server, 'close')
  }

  #speak(socket: Socket): void {
    this.#sockets.add(socket)
    socket.on('error', () => undefined)
    let recipient = ''
    let inData = false
    let text = ''
    socket.write('220 test\r\n')
    socket.on('data', (bytes) => {
      text += bytes.toString()
      if (!text.endsWith(inData ? '\r\n.\r\n' : '\r\n')) return
      const line = text
      text = ''
      if (inData) {
        inData = false
        void this.#take(socket, recipient)
      } else if (line.startsWith('EHLO')) socket.write('250-test\r\n250 8BITMIME\r\n')
      else if (line.startsWith('RCPT')) {
        recipient = /<(.*)>/.exec(line)?.[1] ?? ''
        socket.write(recipient.startsWith('no@') ? '550 5.1.1 no such mailbox\r\n' : '250 ok\r\n')
      } else if (line.startsWith('DATA')) {
        inData = true
        socket.write('354 go\r\n')
      } else if (line.startsWith('QUIT')) socket.end('221 bye\r\n')
      else socket.write('250 ok\r\n')
    })
  }

  async #take(socket: Socket, recipient: string): Promise<void> {
    if (recipient.startsWith('slow@')) {
      this.waiting.push(recipient)
      await this.#answered.promise
    }
    this.delivered.push(recipient)
    socket.write('250 ok\r\n')
  }
}

let server: TestServer
let mails: MailServer
let mailer: Mailer
let services: Services
let offset = 0
beforeAll(async () => {
  server = await testServer([], {}, { clock: () => new Date(Date.now() + offset) })
})
afterAll(() => server.close())
beforeEach(async () => {
  mails = new MailServer()
  mailer = openMailer({
    dataDir: '',
    mail: { smtpUrl: `smtp://127.0.0.1:${await mails.port()}`, from: 'Yaar <no-reply@yaar.test>' },
  })
  services = { ...server.services, mailer }
  await server.services.database.db.deleteFrom('job').execute()
})
afterEach(async () => {
  mailer.close()
  await mails.close()
})

const MINUTE = 60_000
async function at(address: string): Promise<Person> {
  const person = await server.person()
  await server.services.database.db
    .updateTable('app_user')
    .set({ email: address })
    .where('id', '=', person.id)
    .execute()
  return person
}
const post = (address: string, what: { user: string; bulk?: boolean }) =>
  server.services.database.tx((tx) =>
    sendMail(
      tx,
      what.bulk === true
        ? { about: 'announcement', user: what.user, title: 'Fête', text: 'Demain', path: null }
        : { about: 'password_changed', user: what.user, address },
      server.services.clock(),
    ),
  )
const waitingRows = () =>
  server.services.database.db
    .selectFrom('job')
    .select(['attempts', 'outage'])
    .where('kind', '=', 'mail')
    .execute()
const ask = async () =>
  (await server.call('POST', 'auth/email/verify-request/', { by: await server.person() })).status

test('[API 7.5] a permanently refused address fails only its mail; verification stays available', async () => {
  await post('no@example.com', { user: (await at('no@example.com')).id })
  await post('yes@example.com', { user: (await at('yes@example.com')).id })
  await mailJob(letterOf).run(services)
  expect([mails.delivered, await waitingRows()]).toEqual([['yes@example.com'], []])
  offset += 16 * MINUTE
  expect(await ask()).toBe(200)
})

test('[API 7.5] verification closes after 15 minutes without a mail server; its first mail reopens it', async () => {
  const port = await mails.port()
  await mails.close()
  for (const address of ['a@example.com', 'b@example.com'])
    await post(address, { user: (await at(address)).id })
  await mailJob(letterOf).run(services)
  expect(await ask()).toBe(200)
  offset += 16 * MINUTE
  expect(await ask()).toBe(503)
  mails = new MailServer(port)
  await mails.port()
  await mailJob(letterOf).run(services)
  expect(mails.delivered).toEqual(expect.arrayContaining(['a@example.com', 'b@example.com']))
  expect(await ask()).toBe(200)
})

test('a mail that takes long is not claimed by a second process', async () => {
  await post('slow@example.com', { user: (await at('slow@example.com')).id })
  // Longer than a busy machine stops between a renewal and the second claim.
  const lease = 2000
  const first = mailJob(letterOf, { leaseMs: lease }).run(services)
  await expect.poll(() => mails.waiting).toEqual(['slow@example.com'])
  const locked = async () =>
    (
      await server.services.database.db.selectFrom('job').select('locked_until').execute()
    )[0]?.locked_until?.getTime() ?? 0
  const taken = await locked()
  // three leases long
  await expect.poll(locked).toBeGreaterThan(taken + 2 * lease)
  expect(await mailJob(letterOf, { leaseMs: lease }).run(services)).toBe(0)
  mails.answer()
  expect([await first, mails.delivered]).toEqual([1, ['slow@example.com']])
})

test('an urgent mail is sent before announcements, however slow these are', async () => {
  const reader = await at('slow@example.org')
  await server.services.database.db
    .updateTable('app_user')
    .set({ email_verified_at: server.services.clock() })
    .where('id', '=', reader.id)
    .execute()
  const asked = await server.call('POST', 'preferences/notifications/', {
    by: reader,
    json: { announcements: { email: true } },
  })
  expect(asked.status).toBe(200)
  for (let n = 0; n < 5; n += 1) await post('', { user: reader.id, bulk: true })
  const working = startJobs(services, [mailJob(letterOf)])
  wake('mail')
  await expect.poll(() => mails.waiting).toHaveLength(1)
  await post('forgot@example.com', { user: (await at('forgot@example.com')).id })
  await expect.poll(() => mails.delivered).toEqual(['forgot@example.com'])
  mails.answer()
  await expect.poll(() => mails.delivered).toHaveLength(6)
  await working.stop()
})
