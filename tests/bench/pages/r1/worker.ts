import { expose } from 'comlink'
import { createRxDatabase } from 'rxdb/plugins/core'
import { getRxStorageDexie } from 'rxdb/plugins/storage-dexie'
import { FIRST, type Shown } from '../row.ts'

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
          posted_at: { type: 'string', maxLength: 40 },
          title: text,
          price: { type: ['number', 'null'] },
          town_name: { type: ['string', 'null'] },
          region_name: text,
        },
        required: ['id', 'posted_at'],
        indexes: ['posted_at'],
      },
    },
  }),
)

const port = {
  async first(): Promise<readonly Shown[]> {
    const { rows } = await opened
    const found = await rows
      .find({ selector: {}, sort: [{ posted_at: 'desc' }], limit: FIRST })
      .exec()
    return found.map((document: { toJSON(): Shown }) => document.toJSON())
  },
  async fill(): Promise<void> {
    const { rows } = await opened
    const answer = await fetch('/listings.json')
    const all = (await answer.json()) as readonly Shown[]
    for (let at = 0; at < all.length; at += 500) await rows.bulkInsert(all.slice(at, at + 500))
  },
}
export type Rows = typeof port
expose(port)
