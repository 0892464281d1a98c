import * as v from 'valibot'
import type { LocalizedText } from '#schema/wire/shapes'
import { severity } from '#schema/wire/notification'
import type { Tx } from '../db/tables.ts'
import { enqueue } from '../jobs/queue.ts'
import { announceJob, type Announcement } from '../nouns/notification/announcement.ts'
import { type Command, misused, type Options, refused, textOf, usersNamed } from './command.ts'

function bothOf(options: Options, name: string, most: number): LocalizedText | null {
  const [fr, en] = [textOf(options[`${name}-fr`]), textOf(options[`${name}-en`])]
  return fr !== null && en !== null && [...fr].length <= most && [...en].length <= most
    ? { fr, en }
    : null
}

export const announce: Command = {
  names: ['announce'],
  usage:
    '--title-fr … --title-en … --message-fr … --message-en … [--url /path] [--severity info] ' +
    '[--icon url] [--to all|sellers|<user>] [--email]',
  about: 'tells everybody, sellers or one person',
  options: {
    'title-fr': { type: 'string' },
    'title-en': { type: 'string' },
    'message-fr': { type: 'string' },
    'message-en': { type: 'string' },
    url: { type: 'string' },
    severity: { type: 'string' },
    icon: { type: 'string' },
    to: { type: 'string' },
    email: { type: 'boolean' },
  },
  async change({ options, now }, tx) {
    const title = bothOf(options, 'title', 80)
    const message = bothOf(options, 'message', 300)
    if (title === null || message === null)
      return misused(
        '--title-fr and --title-en (80 characters at most) and --message-fr and --message-en (300 at most) are needed',
      )
    const url = textOf(options['url']) ?? '/notifications'
    if (!isPath(url)) return misused('--url is a path of the app, such as /listings')
    const level = v.safeParse(severity, textOf(options['severity']) ?? 'info')
    if (!level.success) return misused(`--severity is one of ${severity.options.join(', ')}`)
    const icon = textOf(options['icon'])
    if (icon !== null && !isPicture(icon))
      return misused('--icon is a path of the app, such as /icon-192.png, or an https:// address')
    const to = await groupOf(tx, textOf(options['to']) ?? 'all')
    if (to === null) return refused(`${textOf(options['to'])} is not there`)
    await enqueue(
      tx,
      'announce',
      {
        title,
        message,
        url,
        severity: level.output,
        icon,
        email: options['email'] === true,
        to,
        after: '',
      } satisfies Announcement,
      now,
    )
    return {
      code: 0,
      lines: ['announced'],
      targets: [typeof to === 'string' ? to : to.user],
      data: { to },
    }
  },
  async after({ services }) {
    await announceJob.run(services)
  },
}

/** Not another host (`//host`). */
const isPath = (address: string) => /^\/(?!\/)/.test(address)

const isPicture = (address: string) =>
  isPath(address) || (URL.canParse(address) && new URL(address).protocol === 'https:')

async function groupOf(tx: Tx, name: string): Promise<Announcement['to'] | null> {
  if (name === 'all' || name === 'sellers') return name
  const row = await usersNamed(tx, name).select('id').executeTakeFirst()
  return row ? { user: row.id } : null
}
