import * as v from 'valibot'
import { call } from './call.ts'
import { atMost, id, nullishText } from './shapes.ts'

const words = v.nullish(v.pipe(v.string(), atMost(1000)))

/** [API 10.4]; `details` is an alias of `message` [D19]. */
export const sendReport = call('report.send', 'POST', 'reports/', {
  access: 'public',
  body: v.object({
    category: v.picklist(['spam', 'fraud', 'inappropriate', 'other']),
    message: words,
    details: words,
    listing_id: nullishText,
    user_id: nullishText,
    session_id: nullishText,
  }),
  answer: v.object({ id, status: v.literal('received'), detail: v.string() }),
  status: 201,
})
