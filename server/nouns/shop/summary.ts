import type { RawBuilder } from 'kysely'
import { DELETED_NAME, type SellerMini } from '#schema/wire/shapes'
import { jsonOf } from '../../db/columns.ts'
import type { Row } from '../../db/tables.ts'

const MINI = ['id', 'username', 'shop_name', 'slug', 'avatar', 'verified_seller'] as const

export type MiniRow = Pick<Row<'app_user'>, (typeof MINI)[number]> & {
  readonly deleted: boolean
  readonly suspended: boolean
}

export const miniColumns = (at: string): RawBuilder<unknown> =>
  jsonOf(
    at,
    MINI,
    `'deleted', ${at}.deleted_at is not null, 'suspended', ${at}.suspended_at is not null`,
  )

const DELETED = { username: DELETED_NAME, shop_name: null, slug: null, avatar: null }

export function miniOf(row: MiniRow): SellerMini {
  const { id, verified_seller, deleted, username, shop_name, slug, avatar } = row
  const shown = deleted ? DELETED : { username, shop_name, slug, avatar }
  return { id, ...shown, verified_seller, deleted }
}
