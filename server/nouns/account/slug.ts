import { sql } from 'kysely'
import type { Tx } from '../../db/tables.ts'

/** The ASCII slug of a name: `seller.2` is `seller-2` [API 4.3]. */
export function slugOf(name: string): string {
  const plain = name.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
  return (
    plain
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-+|-+$/g, '')
      .slice(0, 56) || 'boutique'
  )
}

/** Denotes the caller in seller parameters [API 8.2]. */
const RESERVED = new Set(['me'])
const LIKE_AN_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * A slug never used before, suffixed `-2`, `-3`… when taken, reserved or like an id [D118]. It
 * stays free until `tx` ends.
 */
export async function freeSlug(tx: Tx, name: string): Promise<string> {
  const base = slugOf(name)
  // Serialized: two similar names must not get the same slug.
  await sql`select pg_advisory_xact_lock(724003)`.execute(tx)
  const taken = await tx
    .selectFrom('user_slug')
    .select('slug')
    .where((is) => is.or([is('slug', '=', base), is('slug', 'like', `${base}-%`)]))
    .execute()
  const names = new Set(taken.map((row) => row.slug))
  const free = (slug: string) => !names.has(slug) && !RESERVED.has(slug) && !LIKE_AN_ID.test(slug)
  if (free(base)) return base
  let n = 2
  while (!free(`${base}-${n}`)) n += 1
  return `${base}-${n}`
}
