import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import type { Config } from '../config.ts'
import { messageOf, type Mail } from './message.ts'

export interface Mailer {
  /** Hands a mail over; rejects when it could not, so that it is tried again. */
  send(mail: Mail): Promise<void>
  close(): void
}

/** SMTP when it is set, else a file for each mail under `DATA_DIR/mail`. */
export function openMailer({ mail, dataDir }: Pick<Config, 'mail' | 'dataDir'>): Mailer {
  return mail.smtpUrl === null ? fileMailer(join(dataDir, 'mail'), mail.from) : smtpMailer(mail.smtpUrl, mail.from)
}

function smtpMailer(url: string, from: string): Mailer {
  const transport = createTransport({ url, connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 })
  const sender = /<([^<>]+)>$/.exec(from)?.[1] ?? from
  return {
    async send(mail) {
      await transport.sendMail({ // an object is taken as it stands: a text would be read as a list of addresses
        envelope: { from: sender, to: { name: '', address: mail.to } }, raw: messageOf(mail, from) })
    },
    close: () => transport.close(),
  }
}

/** `<time>-<id>.eml`, so that names sort by time; written beside and renamed, so that nobody reads half a mail. */
function fileMailer(folder: string, from: string): Mailer {
  return {
    async send(mail) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const name = `${mail.at.toISOString().replaceAll(/[-:.]/g, '')}-${mail.id}.eml`
      const half = join(folder, `.${name}.part`)
      await writeFile(half, messageOf(mail, from), { mode: 0o600 })
      await rename(half, join(folder, name))
    },
    close: () => undefined,
  }
}
