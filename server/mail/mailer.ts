import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import * as v from 'valibot'
import { parsed } from '#schema/parsed'
import type { Config } from '../config.ts'
import { Outage, Refused } from '../jobs/queue.ts'
import { messageOf, type Mail } from './message.ts'

export interface Mailer {
  /**
   * Within two minutes. Rejects with Refused when this mail fails for good, with Outage when the
   * server is unusable, else with an error that may be temporary.
   */
  send(mail: Mail, signal?: AbortSignal): Promise<void>
  close(): void
}

/** SMTP, or a file for each mail under `DATA_DIR/mail`. */
export function openMailer({ mail, dataDir }: Pick<Config, 'mail' | 'dataDir'>): Mailer {
  return mail.smtpUrl === null
    ? fileMailer(join(dataDir, 'mail'), mail.from)
    : smtpMailer(mail.smtpUrl, mail.from)
}

/** Shorter than the queue's lease, longer than a slow greeting or lookup. */
const SEND_MS = 120_000

function smtpMailer(url: string, from: string): Mailer {
  const transport = createTransport({
    url,
    dnsTimeout: 10_000,
    connectionTimeout: 10_000,
    greetingTimeout: 30_000,
    socketTimeout: SEND_MS,
  })
  const sender = /<([^<>]+)>$/.exec(from)?.[1] ?? from
  return {
    async send(mail, signal) {
      const deadline = AbortSignal.timeout(SEND_MS)
      // a string would be parsed as a list of addresses
      const envelope = { from: sender, to: { name: '', address: mail.to } }
      const message = {
        envelope,
        raw: messageOf(mail, from),
        signal: signal === undefined ? deadline : AbortSignal.any([signal, deadline]),
      }
      try {
        await transport.sendMail(message)
      } catch (error) {
        throw judged(error)
      }
    },
    close: () => transport.close(),
  }
}

const smtpError = v.looseObject({
  command: v.optional(v.string()),
  responseCode: v.optional(v.number()),
  code: v.optional(v.string()),
})

/** Replies about the recipient or the text concern this mail alone (RFC 5321 4.2.1). */
function judged(error: unknown): Error {
  const reason = error instanceof Error ? error.message : 'unknown'
  const { command, responseCode, code } =
    parsed(smtpError, error instanceof Error ? { ...error } : {}) ?? {}
  const own =
    code === 'EABORT' || code === 'EMESSAGE' || (code === 'EENVELOPE' && command !== 'MAIL FROM')
  if (!own || responseCode === 421) return new Outage(reason, { cause: error })
  const isFinal = code !== 'EABORT' && (responseCode === undefined || responseCode >= 500)
  return isFinal
    ? new Refused(reason, { cause: error })
    : error instanceof Error
      ? error
      : new Error(reason)
}

/** `<time>-<id>.eml`; renamed when complete. */
function fileMailer(folder: string, from: string): Mailer {
  return {
    async send(mail) {
      const name = `${mail.at.toISOString().replaceAll(/[-:.]/g, '')}-${mail.id}.eml`
      const half = join(folder, `.${name}.part`)
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 })
        await writeFile(half, messageOf(mail, from), { mode: 0o600 })
        await rename(half, join(folder, name))
      } catch (error) {
        throw new Outage('the mail could not be written', { cause: error })
      }
    },
    close: () => undefined,
  }
}
