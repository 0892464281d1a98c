import type { Db } from '../../db/tables.ts'

const SOUND = /^[A-Za-z0-9_.-]{1,64}$/

/** A user's id by id, current or former slug [D62]; null for unknown and deleted users. */
export async function personBy(db: Db, idOrSlug: string): Promise<string | null> {
  if (!SOUND.test(idOrSlug)) return null
  const row = await db
    .selectFrom('app_user as u')
    .select('u.id')
    .where('u.deleted_at', 'is', null)
    .where((either) =>
      either.or([
        either('u.id', '=', idOrSlug),
        either(
          'u.id',
          'in',
          either
            .selectFrom('user_slug as s')
            .select('s.user_id')
            .where('s.slug', '=', idOrSlug.toLowerCase()),
        ),
      ]),
    )
    .executeTakeFirst()
  return row?.id ?? null
}
