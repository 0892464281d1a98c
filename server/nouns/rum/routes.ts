import { isMembers } from '#schema/members'
import * as v from 'valibot'
import { rum, rumType } from '#schema/wire/operations'
import { writeRoute, type Route } from '../../route/index.ts'
import { newId } from '../../ids.ts'
import { reportOf } from './report.ts'

const REPORTS_MAX = 20

/**
 * Stores valid reports and always answers 204 [API 15]: error reporting must not cause further
 * errors.
 */
export const rumRoutes: readonly Route[] = [
  writeRoute(
    rum,
    async ({ body, now }, tx) => {
      const reports = (Array.isArray(body) ? body.slice(0, REPORTS_MAX) : [body])
        .filter(isMembers)
        .filter((one) => v.is(rumType, one['type']))
      if (reports.length === 0) return
      await tx
        .insertInto('rum')
        .values(
          reports.map((report) => ({
            id: newId(now.getTime()),
            ...reportOf(report),
            created_at: now,
          })),
        )
        .execute()
    },
    {
      limit: {
        name: 'rum',
        user: [{ count: 60, seconds: 60 }],
        visitor: [{ count: 60, seconds: 60 }],
      },
      silent: [
        'payload_too_large',
        'parse_error',
        'rate_limited',
        'unsupported_media_type',
        'validation_error',
        'server_error',
        'service_unavailable',
      ],
    },
  ),
]
