import type { MangoQuery, PreparedQuery, RxJsonSchema } from 'rxdb/plugins/core'
import type { CollectionShape } from '#schema/disk/documents'

const KEY_MAX = 1e15

/** Only describes indexed fields: documents are validated before they get here. */
export function schemaOf<D>(shape: CollectionShape): RxJsonSchema<D> {
  const fields = [...new Set(shape.indexes.flat())]
  const number = { type: 'number', minimum: -KEY_MAX, maximum: KEY_MAX, multipleOf: 1 }
  const keys = fields.map((field): [string, object] => {
    const maxLength = shape.texts?.[field]
    return [field, maxLength === undefined ? number : { type: 'string', maxLength }]
  })
  const schema: unknown = {
    version: 0,
    type: 'object',
    primaryKey: 'id',
    properties: { id: { type: 'string', maxLength: 200 }, ...Object.fromEntries(keys) },
    required: ['id', ...fields],
    indexes: [...shape.indexes, ['id']],
  }
  if (!isSchema<D>(schema)) throw new Error('Not a schema')
  return schema
}

/** Indexes as created in IndexedDB. The order by id alone is the primary key. */
export function indexesOf(shape: CollectionShape): (readonly string[])[] {
  return shape.indexes.map((fields) => [...fields, 'id'])
}

function isSchema<D>(schema: unknown): schema is RxJsonSchema<D> {
  return typeof schema === 'object' && schema !== null
}

/** A query as RxDB's types want it. */
export function queryOf<D>(query: object): MangoQuery<D> {
  if (!isQuery<D>(query)) throw new TypeError('Not a query')
  return query
}

function isQuery<D>(query: object): query is MangoQuery<D> {
  return query !== null
}

/** Filter and order both come from the index: no matching, sorting or skipping is left. */
export function servedWhole<D>({ query, queryPlan }: PreparedQuery<D>): boolean {
  return (
    queryPlan.selectorSatisfiedByIndex &&
    queryPlan.sortSatisfiedByIndex &&
    (query.skip ?? 0) === 0 &&
    query.limit !== 0
  )
}

/** A bug in a noun: its query would scan the collection. */
export class Unserved extends Error {
  override readonly name = 'Unserved'

  constructor(query: unknown) {
    super(`No index serves ${JSON.stringify(query)}`)
  }
}
