import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { jobs } from '../all-jobs.ts'
import { statusIn } from '../nouns/listing/status.ts'
import { type Command, misused, refused, shown, textOf } from './command.ts'

const stats: Command = {
  names: ['stats'],
  usage: '',
  about: 'counts of everything',
  async look({ now, services: { database } }) {
    const { rows } = await sql<Record<string, number>>`
      with one as (select ${statusIn(now)} as status from listing l)
      select (select count(*) from app_user where deleted_at is null) as users,
        (select count(*) from report where closed_at is null) as open_reports,
        (select count(*) from message) as messages,
        (select count(*) from live_socket) as sockets, (select count(*) from job) as jobs_waiting,
        (select jsonb_object_agg(status, n)
          from (select status, count(*) as n from one group by status) as counted) as listings`.execute(
      database.db,
    )
    const [data = {}] = rows
    return shown(
      Object.entries(data).map(
        ([name, value]) => `${name}: ${typeof value === 'object' ? JSON.stringify(value) : value}`,
      ),
      data,
    )
  },
}

const work: Command = {
  names: ['jobs'],
  usage: '[name]',
  about: `runs what is due once: ${jobs.map(({ name }) => name).join(', ')}`,
  args: [0, 1],
  async look({ args: [name], services }) {
    const wanted = jobs.filter((job) => name === undefined || job.name === name)
    if (wanted.length === 0)
      return misused(`no job ${name}; there are ${jobs.map((job) => job.name).join(', ')}`)
    const done: Record<string, number> = {}
    for (const job of wanted) done[job.name] = await job.run(services)
    return shown(
      Object.entries(done).map(([job, count]) => `${job}: ${count}`),
      done,
    )
  },
}

const mails: Command = {
  names: ['mails'],
  usage: '[--to address] [--last]',
  about: 'mails that were kept as files, newest first',
  options: { to: { type: 'string' }, last: { type: 'boolean' } },
  async look({ options, services: { config } }) {
    if (config.mail.smtpUrl !== null) return misused('mails go to SMTP_URL and are not kept')
    const folder = join(config.dataDir, 'mail')
    const names = (await readdir(folder).catch(() => []))
      .filter((name) => name.endsWith('.eml'))
      .toSorted()
      .toReversed()
    const wanted = textOf(options['to'])?.toLowerCase()
    const found: { file: string; text: string }[] = []
    for (const file of names) {
      const text = await readFile(join(folder, file), 'utf8')
      if (
        wanted === undefined ||
        (/^To: *(.*)$/im.exec(text)?.[1] ?? '').toLowerCase().includes(wanted)
      )
        found.push({ file, text })
      if (found.length > 0 && options['last'] === true) break
    }
    return found.length === 0
      ? refused('no mail')
      : shown(
          found.flatMap(({ file, text }) => [
            `--- ${file}`,
            ...text.replaceAll('\r\n', '\n').trimEnd().split('\n'),
            '',
          ]),
          found,
        )
  },
}

export const upkeepCommands: readonly Command[] = [stats, work, mails]
