import {
  changePassword,
  deleteMe,
  editMe,
  endSession,
  endSessions as endOtherSessions,
  exportMe,
  me,
  sessions,
} from '#schema/wire/account'
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
import { endLinks } from './link.ts'
import { hashPassword, ownPasswordFits, requirePassword } from './password.ts'
import { applyEdit, prepareEdit } from './profile.ts'
import { mailLinkRoutes } from './mail-links.ts'
import { checkNewPassword } from './reset.ts'
import { endSessions, readSessions } from './session.ts'
import { viewerIn } from '../listing/read/routes.ts'
import { readRow, readUser, setUser } from './user.ts'
import { askVerification, verificationAddress } from './verification.ts'

export const accountRoutes: readonly Route[] = [
  ...signInRoutes,

  ...mailLinkRoutes,

  readRoute(me, ({ me: { id }, db, now }) => readUser(db, id, now)),

  /**
   * An edit, or with `action` a request for a verification mail; other members are then ignored
   * [API 7.4].
   */
  preparedRoute(
    editMe,
    async (input) => {
      const {
        body,
        files,
        me: { id },
        db,
      } = input
      if (typeof body.action === 'string')
        return { verify: true, address: await verificationAddress(input, id) } as const
      const user = await readRow(db, id)
      return {
        verify: false,
        user,
        change: await prepareEdit(input, user, body, files['avatar']?.[0]),
      } as const
    },
    async ({ me: { id }, language, now }, tx, ready) => {
      if (ready.verify) return askVerification(tx, id, ready.address, language, now)
      await applyEdit(tx, ready.user, ready.change, now)
      return readUser(tx, id, now)
    },
    { onlyField: 'action' },
  ),

  preparedRoute(
    changePassword,
    async ({ body, me: { id }, db, count }) => {
      const user = await readRow(db, id)
      await requirePassword({ count }, body.current_password, user.password_hash)
      checkNewPassword('new_password', body.new_password, user.username)
      return { passwordHash: await hashPassword(body.new_password), address: user.email }
    },
    async ({ me: { id, sessionId }, now }, tx, { passwordHash, address }) => {
      await setUser(tx, id, { password_hash: passwordHash }, now)
      await endSessions(tx, id, { keep: sessionId })
      // A reset link requested earlier must not undo the change.
      await endLinks(tx, id, 'reset', now)
      if (address !== null)
        await sendMail(tx, { about: 'password_changed', user: id, address }, now)
    },
    {
      // The fingerprint excludes passwords, so a repeat must prove that the new one is the one set.
      secret: {
        toStored: () => '',
        async fromStored({ body, me: { id }, db, count }) {
          const { password_hash } = await readRow(db, id)
          if (!(await ownPasswordFits({ count }, body.new_password, password_hash)))
            throw refuse('idempotency_key_reused')
        },
      },
    },
  ),

  preparedRoute(
    deleteMe,
    async ({ body, me: { id }, db, count }) => {
      const { password_hash } = await readRow(db, id)
      await requirePassword({ count }, body.current_password, password_hash)
    },
    ({ me: { id }, now }, tx) => eraseAccount(tx, id, now),
  ),

  readRoute(
    exportMe,
    async (input) =>
      reply(await exportAccount(input.db, input.me, { ...viewerIn(input), isModerator: false }), {
        headers: { 'Content-Disposition': 'attachment; filename="export.json"' },
      }),
    { limit: { name: 'export', user: [{ count: 3, seconds: 24 * 3600 }] } },
  ),

  readRoute(sessions, async ({ me: { id, sessionId }, db }) => ({
    results: await readSessions(db, id, sessionId),
  })),

  writeRoute(endSession, async ({ params, me: { id } }, tx) =>
    endSessions(tx, id, { only: params.id }),
  ),

  writeRoute(endOtherSessions, async ({ me: { id, sessionId } }, tx) =>
    endSessions(tx, id, { keep: sessionId }),
  ),
]
