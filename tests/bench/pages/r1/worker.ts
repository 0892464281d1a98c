import { expose } from 'comlink'
import { createRxDatabase } from 'rxdb/plugins/core'
import { getRxStorageDexie } from 'rxdb/plugins/storage-dexie'
import { FIRST, type Row } from '../row.ts'

const text = { type: 'string' }
const opened = createRxDatabase({ name: 'r1', storage: getRxStorageDexie() }).then((db) =>
  db.addCollections({
    rows: {
      schema: {
        version: 0,
        primaryKey: 'id',
        type: 'object',
        properties: {
          id: { type: 'string', maxLength: 64 },
          newest: { type: 'number', minimum: -1e15, maximum: 1e15, multipleOf: 1 },
          title: text,
          price: { type: ['number', 'null'] },
          town_name: { type: ['string', 'null'] },
          region_name: text,
        },
        required: ['id', 'newest'],
        indexes: ['newest'],
      },
    },
  }),
)

const port = {
  async first(): Promise<readonly Row[]> {
    const { rows } = await opened
    const found = await rows.find({ selector: {}, sort: [{ newest: 'asc' }], limit: FIRST }).exec()
    return found.map((document: { toJSON(): Row }) => document.toJSON())
  },
  async fill(): Promise<void> {
    const { rows } = await opened
    const answer = await fetch('/rows.json')
    const all = (await answer.json()) as readonly Row[]
    for (let at = 0; at < all.length; at += 500) await rows.bulkInsert(all.slice(at, at + 500))
  },
}
export type Rows = typeof port
expose(port)
