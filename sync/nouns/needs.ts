import { map } from 'rxjs'
import * as v from 'valibot'
import type { AnswerOf, Call } from '#schema/wire/call'
import type {
  CallOptions,
  CallResult,
  Collection,
  HttpClient,
  ListDocument,
  Need,
  Store,
  Tools,
} from '../noun.ts'
import { deepEqual, parsed, type Page } from './tolerant.ts'

export function forSignedIn(need: Need) {
  return (_params: unknown, { currentUser }: Tools) => (currentUser().me === '' ? [] : [need])
}

export async function mapAnswer<A, B>(
  reply: CallResult<A>,
  use: (answer: A) => B | Promise<B>,
): Promise<CallResult<B>> {
  return reply.kind === 'done' ? { ...reply, answer: await use(reply.answer) } : reply
}

export function factsNeed<C extends Call, A = AnswerOf<C>>(
  key: string,
  call: C,
  options: CallOptions<C>,
  read?: (body: unknown) => A | null,
): Need {
  return {
    key,
    personal: true,
    freshMs: 5 * 60_000,
    async fetch({ http }, { known }) {
      const reply = await http.call(call, { ...options, etag: known?.etag }, read)
      return mapAnswer(reply, (facts) => ({ facts }))
    },
  }
}

type ListOf = Pick<Need, 'key'> & Partial<Pick<Need, 'personal'>>

export function observeList(store: Store, { personal = false, key }: ListOf) {
  return store[personal ? 'ownLists' : 'lists'].findOne(key).$
}

/** null: not loaded, or not of this shape. */
export function observeFacts<T>(store: Store, need: ListOf, schema: v.GenericSchema<unknown, T>) {
  return observeList(store, need).pipe(map((list) => parsed(schema, list?.facts)))
}

export function inOrder<D>(ids: readonly string[], rows: ReadonlyMap<string, D>) {
  return ids.flatMap((id) => rows.get(id) ?? [])
}

export function rowsInFacts<T>(row: v.GenericSchema<unknown, T>, need: Need) {
  return {
    watch: (_params: unknown, { store }: Tools) =>
      observeFacts(store, need, v.array(row)).pipe(
        map((rows) => ({ rows: rows ?? [], facts: {} })),
      ),
    needs: forSignedIn(need),
  }
}

/** Only a list of one page has an ETag: that of a first page says nothing about the others. */
export async function readPages<C extends Call, P extends Page<unknown>>(
  http: HttpClient,
  call: C,
  first: CallOptions<C>,
  most: number,
  read: (body: unknown) => P | null,
): Promise<CallResult<readonly P[]>> {
  const pages: P[] = []
  let options = first
  let etag: string | null = null
  do {
    const reply: CallResult<P> = await http.call(call, options, read)
    if (reply.kind !== 'done') return reply
    pages.push(reply.answer)
    const { next } = reply.answer
    if (next === null) {
      etag = pages.length === 1 ? (reply.etag ?? null) : null
      break
    }
    options = { next }
  } while (pages.length < most)
  return { kind: 'done', answer: pages, etag }
}

/** What changed since `before` stays: the answer may be older than the change. */
export async function removeAbsent<D extends { readonly id: string }>(
  collection: Collection<D>,
  before: readonly D[],
  answered: readonly Pick<D, 'id'>[],
) {
  const named = new Set(answered.map(({ id }) => id))
  const absent = before.filter(({ id }) => !named.has(id))
  const stored = await collection.findByIds(absent.map(({ id }) => id)).exec()
  await collection.remove(
    absent.flatMap((old) => (deepEqual(old, stored.get(old.id)) ? [old.id] : [])),
  )
}

/** null: everything must be read, since there is no cursor or the server forgot it. */
export async function sinceCursor<A>(
  known: ListDocument | null,
  changes: (cursor: string) => Promise<CallResult<A>>,
) {
  const cursor = known?.cursor ?? null
  const reply = cursor === null ? null : await changes(cursor)
  return reply?.kind === 'refused' && reply.status === 410 ? null : reply
}
