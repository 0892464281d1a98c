import * as v from 'valibot'
import { call } from './call.ts'
import { atMost } from './fields.ts'
import { id } from './shapes.ts'

const words = v.nullish(v.pipe(v.string(), atMost(1000)))

/** [API 10.4]; `details` is an alias of `message` [D19]. */
export const sendReport = call('report.send', 'POST', 'reports/', {
  access: 'public',
  body: v.object({
    category: v.picklist(['spam', 'fraud', 'inappropriate', 'other']),
    message: words,
    details: words,
    listing_id: v.nullish(v.string()),
    user_id: v.nullish(v.string()),
    session_id: v.nullish(v.string()),
  }),
  answer: v.object({ id, status: v.literal('received'), detail: v.string() }),
  status: 201,
})
