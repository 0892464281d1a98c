import type { RxDocument } from 'rxdb/plugins/core'

/** RxDB has a new document per revision, so its row is made once: an unchanged row stays the same. */
const rows = new WeakMap<object, unknown>()

/** The row of a document: its fields without RxDB's. */
export function plain<D>(document: RxDocument<D>): D {
  const known = rows.get(document)
  if (isRow<D>(known)) return known
  const row: unknown = document.toJSON()
  if (!isRow<D>(row)) throw new TypeError('Not a row')
  rows.set(document, row)
  return row
}

function isRow<D>(row: unknown): row is D {
  return typeof row === 'object' && row !== null
}
