import type { Tx } from '../db/tables.ts'
import { peopleChanged } from '../nouns/conversation/changes.ts'
import { endSessions, openSession } from '../nouns/account/session.ts'
import { setUser, type UserRow } from '../nouns/account/user.ts'
import { sendMail } from '../mail/order.ts'
import {
  type Asked,
  changed,
  type Changed,
  type Command,
  misused,
  refused,
  textOf,
  usersNamed,
} from './command.ts'

function about(
  name: string,
  usage: string,
  purpose: string,
  options: NonNullable<Command['options']>,
  change: (asked: Asked, person: UserRow, tx: Tx) => Promise<string | Changed>,
): Command {
  return {
    names: [name],
    usage: `<user> ${usage}`.trim(),
    about: purpose,
    options,
    args: [1, 1],
    async change(asked, tx) {
      const [word = ''] = asked.args
      const person = await usersNamed(tx, word).selectAll().forUpdate().executeTakeFirst()
      if (person === undefined) return refused(`${word} is not there`)
      const done = await change(asked, person, tx)
      return typeof done === 'string'
        ? changed(`${person.username} ${done}`, person.id, {
            id: person.id,
            username: person.username,
          })
        : done
    },
  }
}

const ban = about(
  'ban',
  '--reason "…"',
  'no more sign-in, listings hidden, a mail says why',
  { reason: { type: 'string' } },
  async ({ options, now }, person, tx) => {
    const reason = textOf(options['reason'])
    if (reason === null || [...reason].length < 3 || [...reason].length > 300)
      return misused('--reason "3 to 300 characters"')
    if (person.suspended_at !== null) return refused(`${person.username} is suspended already`)
    await setUser(tx, person.id, { suspended_at: now, suspended_reason: reason }, now)
    await endSessions(tx, person.id, {}, 4403)
    await peopleChanged(tx, person.id, null, now)
    if (person.email !== null)
      await sendMail(
        tx,
        { about: 'suspended', user: person.id, address: person.email, text: reason },
        now,
      )
    return 'suspended'
  },
)

const unban = about(
  'unban',
  '',
  'may sign in again, listings are back',
  {},
  async ({ now }, person, tx) => {
    if (person.suspended_at === null) return refused(`${person.username} is not suspended`)
    await setUser(tx, person.id, { suspended_at: null, suspended_reason: null }, now)
    await peopleChanged(tx, person.id, null, now)
    return 'no longer suspended'
  },
)

const verifying = (name: string, verified_seller: boolean, word: string) =>
  about(name, '', 'the mark of a verified seller', {}, async ({ now }, person, tx) => {
    if (person.verified_seller !== verified_seller)
      await setUser(tx, person.id, { verified_seller }, now)
    return word
  })

const moderator = about(
  'moderator',
  '[--off]',
  'may read listings in every state',
  { off: { type: 'boolean' } },
  async ({ options, now }, person, tx) => {
    const is_moderator = options['off'] !== true
    if (person.is_moderator !== is_moderator) await setUser(tx, person.id, { is_moderator }, now)
    return is_moderator ? 'is a moderator' : 'is no moderator'
  },
)

const token = about(
  'token',
  '',
  'opens a session and prints its token; not in production',
  {},
  async ({ now, services }, person, tx) => {
    if (services.config.production) return refused('refused when NODE_ENV=production')
    if (person.suspended_at !== null) return refused(`${person.username} is suspended`)
    const opened = await openSession(tx, person.id, 'admin', now)
    return changed(opened, person.id, { token: opened })
  },
)

export const peopleCommands: readonly Command[] = [
  ban,
  unban,
  verifying('verify-seller', true, 'is a verified seller'),
  verifying('unverify-seller', false, 'is no verified seller'),
  moderator,
  token,
]
