import * as wire from '#schema/wire/account'
import {
  preparedRoute,
  readRoute,
  refuse,
  reply,
  writeRoute,
  type Route,
} from '../../route/index.ts'
import { sendMail } from '../../mail/order.ts'
import { signInRoutes } from './sign-in.ts'
import { eraseAccount } from './erase.ts'
import { exportAccount } from './export.ts'
import { checkNewPassword, hashPassword, ownPasswordFits, requirePassword } from './password.ts'
import { applyEdit, prepareEdit } from './profile.ts'
import { askVerification, endLinks, mailLinkRoutes, verificationAddress } from './mail-links.ts'
import { endSessions, readSessions } from './session.ts'
import { viewerIn } from '../listing/read/routes.ts'
import { readRow, readUser, setUser } from './user.ts'

export const accountRoutes: readonly Route[] = [
  ...signInRoutes,

  ...mailLinkRoutes,

  readRoute(wire.me, ({ me: { id }, db, now }) => readUser(db, id, now)),

  /** An edit, or with `action` a request for a verification mail [API 7.4]. */
  preparedRoute(
    wire.editMe,
    async (input) => {
      const { body, files, me, db } = input
      if (typeof body.action === 'string')
        return { address: await verificationAddress(input, me.id) }
      const user = await readRow(db, me.id)
      return { user, change: await prepareEdit(input, user, body, files['avatar']?.[0]) }
    },
    async ({ me: { id }, language, now }, tx, ready) => {
      if ('address' in ready) return askVerification(tx, id, ready.address, language, now)
      await applyEdit(tx, ready.user, ready.change, now)
      return readUser(tx, id, now)
    },
    { onlyField: 'action' },
  ),

  preparedRoute(
    wire.changePassword,
    async (input) => {
      const { body, me, db } = input
      const user = await readRow(db, me.id)
      await requirePassword(input, body.current_password, user.password_hash)
      checkNewPassword(body.new_password, user.username)
      return { passwordHash: await hashPassword(body.new_password), address: user.email }
    },
    async ({ me: { id, sessionId }, now }, tx, { passwordHash, address }) => {
      await setUser(tx, id, { password_hash: passwordHash }, now)
      await endSessions(tx, id, { keep: sessionId })
      // An earlier reset link must not undo the change.
      await endLinks(tx, id, 'reset', now)
      if (address !== null)
        await sendMail(tx, { about: 'password_changed', user: id, address }, now)
    },
    {
      // The fingerprint excludes passwords: a repeat must prove that the new one is the one set.
      secret: {
        toStored: () => '',
        async fromStored(input) {
          const { password_hash } = await readRow(input.db, input.me.id)
          if (!(await ownPasswordFits(input, input.body.new_password, password_hash)))
            throw refuse('idempotency_key_reused')
        },
      },
    },
  ),

  preparedRoute(
    wire.deleteMe,
    async (input) => {
      const { password_hash } = await readRow(input.db, input.me.id)
      await requirePassword(input, input.body.current_password, password_hash)
    },
    ({ me: { id }, now }, tx) => eraseAccount(tx, id, now),
  ),

  readRoute(
    wire.exportMe,
    async (input) =>
      reply(await exportAccount(input.db, input.me, { ...viewerIn(input), isModerator: false }), {
        headers: { 'Content-Disposition': 'attachment; filename="export.json"' },
      }),
    { limit: { name: 'export', user: [{ count: 3, seconds: 24 * 3600 }] } },
  ),

  readRoute(wire.sessions, async ({ me: { id, sessionId }, db }) => ({
    results: await readSessions(db, id, sessionId),
  })),

  writeRoute(wire.endSession, async ({ params, me: { id } }, tx) =>
    endSessions(tx, id, { only: params.id }),
  ),

  writeRoute(wire.endSessions, async ({ me: { id, sessionId } }, tx) =>
    endSessions(tx, id, { keep: sessionId }),
  ),
]
