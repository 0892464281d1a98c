import type { Payload } from '#schema/port/command'
import { sendReport } from '#schema/wire/report'
import type { CommandRule, CommandRules } from '../../noun.ts'
import { clean, createdAnswer } from '../tolerant.ts'

const send: CommandRule<Payload<'report.send'>, true> = {
  lane: () => 'reports',
  visitor: 'send',
  deliver: ({ payload: { category, message, listing, user } }) => ({
    call: sendReport,
    body: {
      category,
      message: clean(message),
      ...(listing === null ? {} : { listing_id: listing }),
      ...(user === null ? {} : { user_id: user }),
    },
    answer: createdAnswer,
  }),
  change: { text: (payload, message) => ({ ...payload, message }) },
}

export const commands = { 'report.send': send } satisfies CommandRules
