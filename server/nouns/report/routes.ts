import { points, type LocalizedText } from '#schema/wire/shapes'
import { sendReport } from '#schema/wire/report'
import type { Row, Tx } from '../../db/tables.ts'
import {
  created,
  refuse,
  refuseField,
  shortHash,
  writeRoute,
  type Route,
} from '../../route/index.ts'
import { newId } from '../../ids.ts'
import { requireUser } from '../shop/person.ts'
import { knownViewer, sessionOf } from '../listing/read/interest.ts'

const DAY_MS = 86_400_000
const OTHER_MIN = 10
const THANKS: LocalizedText = { fr: 'Signalement envoyé. Merci.', en: 'Report sent. Thank you.' }

export const reportRoutes: readonly Route[] = [
  /** [API 10.4, D18]; the same report within a day returns the first. */
  writeRoute(
    sendReport,
    async (input, tx) => {
      const { address, body, caller, language, now, visitorSession } = input
      const { category } = body
      const message = body.message ?? body.details ?? ''
      if (category === 'other' && message === '') throw refuseField('message', 'required')
      if (category === 'other' && points(message) < OTHER_MIN)
        throw refuseField('message', 'too_short', { min: OTHER_MIN, max: 1000 })
      const target = { listing_id: body.listing_id ?? null, user_id: body.user_id ?? null }
      await requireTargets(tx, target)
      const session = sessionOf(body.session_id, visitorSession)
      const reporter_address = shortHash(address)
      const reporter = knownViewer(caller, session) ?? `a:${reporter_address}`
      const answer = (id: string) => ({ id, status: 'received' as const, detail: THANKS[language] })
      const known = await sameReport(tx, { reporter, category, ...target }, now)
      if (known !== null) return created(answer(known), false)
      const id = newId(now.getTime())
      await tx
        .insertInto('report')
        .values({
          id,
          category,
          message,
          ...target,
          reporter,
          reporter_user_id: caller?.id ?? null,
          reporter_address: caller === null ? reporter_address : null,
          created_at: now,
        })
        .execute()
      return answer(id)
    },
    {
      limit: {
        name: 'reports',
        user: [{ count: 10, seconds: 3600 }],
        visitor: [{ count: 3, seconds: 3600 }],
        code: 'report_rate_limited',
      },
    },
  ),
]

type Target = Pick<Row<'report'>, 'listing_id' | 'user_id'>

async function requireTargets(tx: Tx, { listing_id, user_id }: Target) {
  if (listing_id !== null)
    await tx
      .selectFrom('listing')
      .select('id')
      .where('id', '=', listing_id)
      .where('deleted_at', 'is', null)
      .executeTakeFirstOrThrow(() => refuse('listing_not_found'))
  if (user_id !== null) await requireUser(tx, user_id)
}

async function sameReport(
  tx: Tx,
  report: Target & Pick<Row<'report'>, 'reporter' | 'category'>,
  now: Date,
) {
  const row = await tx
    .selectFrom('report')
    .select('id')
    .where((is) => is.and(report))
    .where('created_at', '>', new Date(now.getTime() - DAY_MS))
    .executeTakeFirst()
  return row?.id ?? null
}
