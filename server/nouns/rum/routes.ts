import { isMembers } from '#schema/members'
import * as v from 'valibot'
import { rum, rumType } from '#schema/wire/operations'
import { writeRoute, type Route } from '../../route/index.ts'
import { newId } from '../../ids.ts'
import type { Tables } from '../../db/tables.ts'

const REPORTS_MAX = 20

/** Always 204 [API 15]: error reporting must not cause further errors. */
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

type Report = Omit<Tables['rum'], 'id' | 'created_at'>

/** Known members, truncated; URLs without query and hash [API 15]. */
function reportOf(sent: Readonly<Record<string, unknown>>): Report {
  const text = (name: string, max: number) => {
    const value = sent[name]
    return typeof value === 'string' ? [...value].slice(0, max).join('') : null
  }
  const number = (name: string) => {
    const value = sent[name]
    return typeof value === 'number' && Number.isFinite(value) ? value : null
  }
  const address = (name: string) =>
    text(name, 2000)
      ?.replace(/[?#].*$/s, '')
      .slice(0, 300)
      .toWellFormed() ?? null
  const ts = sent['ts']
  return {
    type: text('type', 20) ?? '',
    ts: typeof ts === 'number' && Number.isFinite(ts) ? `${ts}` : text('ts', 40),
    url: address('url'),
    ua: text('ua', 300),
    message: text('message', 500),
    filename: address('filename'),
    lineno: number('lineno'),
    colno: number('colno'),
    status: number('status'),
    duration: number('duration'),
    method: text('method', 10),
  }
}
