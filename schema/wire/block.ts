import * as v from 'valibot'
import { call } from './call.ts'
import { count, id, sellerMini } from './shapes.ts'

/** [API 10.6]. */
export const listBlocks = call({
  name: 'block.list',
  method: 'GET',
  path: 'blocks/',
  access: 'signed-in',
  cache: 'personal',
  query: null,
  body: null,
  answer: v.object({ count, results: v.array(sellerMini) }),
})

export const addBlock = call({
  name: 'block.add',
  method: 'POST',
  path: 'blocks/',
  query: null,
  body: v.object({ user_id: v.string() }),
  answer: v.object({ user_id: id, blocked: v.literal(true) }),
  status: 201,
})

export const removeBlock = call({
  name: 'block.remove',
  method: 'DELETE',
  path: 'blocks/{id}/',
  query: null,
  body: null,
  answer: null,
})
