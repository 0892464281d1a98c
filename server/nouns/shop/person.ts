import type { Db, Tx } from '../../db/tables.ts'
import { refuse } from '../../route/index.ts'
import { liveUser } from '../account/user.ts'

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

export async function requirePerson(db: Db, idOrSlug: string): Promise<string> {
  const id = await personBy(db, idOrSlug)
  if (id === null) throw refuse('not_found')
  return id
}

/** Throws 404 when no user who is not deleted has this id. */
export async function requireUser(db: Db, id: string): Promise<void> {
  if ((await liveUser(db, id)) === null) throw refuse('not_found')
}

/** Locks a user's row, so that what counts against a limit of the user happens one by one. */
export async function lockPerson(tx: Tx, id: string): Promise<void> {
  await tx.selectFrom('app_user').select('id').where('id', '=', id).forUpdate().executeTakeFirst()
}
