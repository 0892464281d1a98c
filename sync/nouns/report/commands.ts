import { sendReport } from '#schema/wire/report'
import { clean } from '#schema/text'
import type { CommandRules } from '../../noun.ts'
import { createdAnswer } from '../tolerant.ts'

export const commands = {
  'report.send': {
    lane: () => 'reports',
    visitor: 'send',
    deliver: ({ payload: { category, message, listing, user } }) => ({
      call: sendReport,
      body: {
        category,
        message: clean(message),
        ...(listing !== null && { listing_id: listing }),
        ...(user !== null && { user_id: user }),
      },
      answer: createdAnswer,
    }),
    change: { text: (payload, message) => ({ ...payload, message }) },
  },
} satisfies CommandRules
