import { sql, type RawBuilder } from 'kysely'
import { DELETED_NAME, type SellerMini } from '#schema/wire/shapes'

export interface MiniRow {
  readonly id: string
  readonly username: string
  readonly shop_name: string | null
  readonly slug: string | null
  readonly avatar: string | null
  readonly verified_seller: boolean
  readonly deleted: boolean
  readonly suspended: boolean
}

export function miniColumns(alias: string): RawBuilder<MiniRow> {
  const at = (column: string) => sql.ref(`${alias}.${column}`)
  return sql<MiniRow>`jsonb_build_object('id', ${at('id')}, 'username', ${at('username')},
    'shop_name', ${at('shop_name')},
    'slug', ${at('slug')}, 'avatar', ${at('avatar')}, 'verified_seller', ${at('verified_seller')},
    'deleted', ${at('deleted_at')} is not null, 'suspended', ${at('suspended_at')} is not null)`
}

const DELETED = { username: DELETED_NAME, shop_name: null, slug: null, avatar: null }

export function miniOf(row: MiniRow): SellerMini {
  const { id, verified_seller, deleted, username, shop_name, slug, avatar } = row
  const shown = deleted ? DELETED : { username, shop_name, slug, avatar }
  return { id, ...shown, verified_seller, deleted }
}
