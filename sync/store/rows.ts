import { deepEqual, type RxDocument } from 'rxdb/plugins/core'

export { deepEqual }

/** RxDB has a new document per revision, so its row is made once: an unchanged row stays the same. */
const rows = new WeakMap<object, unknown>()

/** The row of a document: its fields without RxDB's. */
export function plain<D>(document: RxDocument<D>): D {
  const row: unknown = rows.get(document) ?? document.toJSON()
  if (!isRow<D>(row)) throw new TypeError('Not a row')
  rows.set(document, row)
  return row
}

function isRow<D>(row: unknown): row is D {
  return typeof row === 'object' && row !== null
}
