import { once } from 'node:events'
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { messageOf, type Mail } from './message.ts'
import { openMailer } from './mailer.ts'
import { mailOf } from './templates.ts'

const mail: Mail = {
  id: '01900000-0000-7000-8000-000000000001',
  to: 'awa@example.com',
  subject: 'Yaar\u00a0: Réinitialisez',
  text: 'Bonjour,\n\nhttp://yaar.test/x?y=1&z=é\n',
  at: new Date('2026-03-01T09:15:04.120Z'),
}

test('[D121] a mail is RFC 5322 in 8bit, with unbroken links', () => {
  const [head = '', body] = messageOf(mail, 'Marché <no-reply@yaar.test>').split('\r\n\r\n', 2)
  expect(head.split('\r\n')).toEqual([
    'From: =?utf-8?B?TWFyY2jDqQ==?= <no-reply@yaar.test>',
    'To: <awa@example.com>',
    `Subject: =?utf-8?B?${Buffer.from('Yaar\u00a0: Réinitialisez').toString('base64')}?=`,
    'Date: Sun, 01 Mar 2026 09:15:04 +0000',
    'Message-ID: <01900000-0000-7000-8000-000000000001@yaar.test>',
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: 8bit',
    'Auto-Submitted: auto-generated',
  ])
  expect(body).toBe('Bonjour,')
  expect(messageOf(mail, 'a@b.c')).toContain('\r\nhttp://yaar.test/x?y=1&z=é\r\n')
})

test('a subject cannot end the header, and encoded words have at most 75 characters', () => {
  const message = messageOf({ ...mail, subject: `évil\r\nBcc: x@y.z ${'é'.repeat(90)}` }, 'a@b.c')
  expect(message).not.toMatch(/^Bcc/m)
  const words = /Subject: ((?:.+\r\n )*.+)/.exec(message)?.[1]?.split('\r\n ') ?? []
  expect(words.length).toBeGreaterThan(3)
  expect(words.every((word) => word.length <= 75)).toBe(true)
})

test('[API 16] without SMTP each mail is a whole file, named by its time', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'yaar-mail-'))
  const mailer = openMailer({ dataDir, mail: { smtpUrl: null, from: 'a@b.c' } })
  await mailer.send(mail)
  const names = await readdir(join(dataDir, 'mail'))
  expect(names).toEqual([`20260301T091504120Z-${mail.id}.eml`])
  expect(await readFile(join(dataDir, 'mail', names[0] ?? ''), 'utf8')).toBe(
    messageOf(mail, 'a@b.c'),
  )
  await rm(dataDir, { recursive: true, force: true })
})

test('over SMTP the same message is sent, and a refusal is an error', async () => {
  const received: string[] = []
  let refusing = false
  /** The part of RFC 5321 that one mail needs. */
  const speak = (socket: Socket) => {
    let data = false
    socket.write('220 test\r\n')
    socket.on('data', (bytes) => {
      const text = bytes.toString()
      received.push(text)
      if (data) {
        if (!text.endsWith('\r\n.\r\n')) return
        data = false
        socket.write('250 ok\r\n')
      } else if (text.startsWith('EHLO')) socket.write('250-test\r\n250 8BITMIME\r\n')
      else if (text.startsWith('DATA')) {
        data = true
        socket.write('354 go\r\n')
      } else if (text.startsWith('QUIT')) socket.end('221 bye\r\n')
      else socket.write(refusing && text.startsWith('RCPT') ? '451 later\r\n' : '250 ok\r\n')
    })
  }
  const server = createServer(speak).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const mailer = openMailer({
    dataDir: '',
    mail: { smtpUrl: `smtp://127.0.0.1:${port}`, from: 'Marché <no-reply@yaar.test>' },
  })
  await mailer.send(mail)
  const all = received.join('')
  expect(all).toContain('MAIL FROM:<no-reply@yaar.test>')
  expect(all).toContain('RCPT TO:<awa@example.com>')
  expect(all).toContain(messageOf(mail, 'Marché <no-reply@yaar.test>').trimEnd())
  refusing = true
  await expect(mailer.send(mail)).rejects.toThrow('451')
  mailer.close()
  server.close()
})

test.each(['fr', 'en'] as const)(
  '[S9.06] every letter has its words in %s, with its link on a line of its own',
  (language) => {
    for (const template of [
      'verify',
      'reset',
      'password_changed',
      'email_changed',
      'suspended',
      'announcement',
    ] as const) {
      const { subject, text } = mailOf(
        {
          template,
          language,
          username: 'awa',
          link: 'http://yaar.test/l',
          title: 'Titre',
          text: 'Texte',
        },
        'Yaar',
      )
      expect(subject.length).toBeGreaterThan(8)
      expect(text).toContain(language === 'fr' ? 'Bonjour awa,' : 'Hello awa,')
      expect(text.split('\n').includes('http://yaar.test/l')).toBe(template !== 'suspended')
    }
  },
)
