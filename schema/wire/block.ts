import * as v from 'valibot'
import { call, personal } from './call.ts'
import { count, id, sellerMini } from './shapes.ts'

/** [API 10.6]. */
export const listBlocks = call('block.list', 'GET', 'blocks/', {
  ...personal,
  answer: v.object({ count, results: v.array(sellerMini) }),
})

export const addBlock = call('block.add', 'POST', 'blocks/', {
  body: v.object({ user_id: v.string() }),
  answer: v.object({ user_id: id, blocked: v.literal(true) }),
  status: 201,
})

export const removeBlock = call('block.remove', 'DELETE', 'blocks/{id}/')
