import { deepEqual, type RxDocument } from 'rxdb/plugins/core'
import type { CollectionShape } from '#schema/disk/documents'

export { deepEqual }

const KEY_MAX = 1e15
const number = { type: 'number', minimum: -KEY_MAX, maximum: KEY_MAX, multipleOf: 1 }

/** Only describes indexed fields: documents are validated before they get here. */
export function schemaOf({ indexes, texts }: CollectionShape) {
  const lengths: CollectionShape['texts'] = { id: 200, ...texts }
  const required = [...new Set(['id', ...indexes.flat()])]
  const keys = required.map((field): [string, object] => {
    const maxLength = lengths[field]
    return [field, maxLength === undefined ? number : { type: 'string', maxLength }]
  })
  return {
    version: 0,
    type: 'object',
    primaryKey: 'id',
    properties: Object.fromEntries(keys),
    required,
    indexes: [...indexes, ['id']],
  }
}

/** RxDB has a document per revision, so that an unchanged row stays the same object. */
const rows = new WeakMap<object, unknown>()

/** Without RxDB's fields. */
export function plain<D>(document: RxDocument<D>): D
export function plain(document: RxDocument): unknown {
  const row = rows.get(document) ?? document.toJSON()
  rows.set(document, row)
  return row
}
