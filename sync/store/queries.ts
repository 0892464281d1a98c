import {
  prepareQuery,
  type FilledMangoQuery,
  type PreparedQuery,
  type RxDocumentData,
  type RxJsonSchema,
} from 'rxdb/plugins/core'
import type { CollectionShape } from '#schema/disk/documents'
import type { IndexQuery } from '../noun.ts'

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

/** A find, or all documents in the order of ids. */
export interface Range<D> extends Omit<IndexQuery<D>, 'index'> {
  readonly index: readonly string[]
  readonly afterId?: string
}

/** Throws when no index serves the find completely: that is a bug, not a slow query. */
export function prepare<D>(
  schema: Readonly<RxJsonSchema<RxDocumentData<D>>>,
  find: Range<D>,
): PreparedQuery<D> {
  const index = ['_deleted', ...find.index, 'id']
  const known = (schema.indexes ?? []).some((one) => one.toString() === index.toString())
  const last = find.index.at(-1)
  const selector: Record<string, unknown> = { _deleted: { $eq: false } }
  for (const [field, value] of Object.entries(find.equals ?? {})) selector[field] = { $eq: value }
  const bounds = {
    ...(find.after !== undefined && { $gt: find.after }),
    ...(find.upTo !== undefined && { $lte: find.upTo }),
  }
  if (last !== undefined && Object.keys(bounds).length > 0) selector[last] = bounds
  if (find.afterId !== undefined) selector['id'] = { $gt: find.afterId }
  const sort = [...find.index, 'id'].map((field) => ({ [field]: 'asc' }))
  const query: unknown = {
    selector,
    sort,
    index,
    skip: 0,
    ...(find.limit !== undefined && { limit: find.limit }),
  }
  if (!isFilled<D>(query)) throw new Error('Not a query')
  const prepared = known ? prepareQuery(schema, query) : null
  if (prepared === null || !servedWhole(prepared))
    throw new Unserved(`No index serves ${JSON.stringify(find)}`)
  return prepared
}

function isFilled<D>(query: unknown): query is FilledMangoQuery<D> {
  return typeof query === 'object' && query !== null && 'selector' in query
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

/** A bug in a noun: its find would scan the collection. */
export class Unserved extends Error {
  override readonly name = 'Unserved'
}

/** Whether a document matches a find, except its limit. */
export function inRange<D>(find: IndexQuery<D>, document: D): boolean {
  const last = find.index.at(-1)
  const value = last === undefined ? 0 : Number(document[last])
  return (
    Object.entries(find.equals ?? {}).every(
      ([field, wanted]) => Reflect.get(Object(document), field) === wanted,
    ) &&
    (find.after === undefined || value > find.after) &&
    (find.upTo === undefined || value <= find.upTo)
  )
}
