import { changePassword, deleteMe, editMe, exportMe } from '#schema/wire/account'
import type { Outcome } from '#schema/port/outcome'
import type { Reply, RequestRules } from '../../noun.ts'
import { readAccount } from './read.ts'

/** What a signed-in person can only do with the server there. */
export const mineRequests: RequestRules = {
  'account.password': async ({ current, next }, { net }) => nothing(await net.call(changePassword, { body: { current_password: current, new_password: next } })),
  'account.avatar': async ({ photo }, { net, store }) => {
    const edited = await net.call(editMe, { body: pictureOf(photo) }, readAccount)
    if (edited.kind === 'done') await store.put('account', [edited.answer])
    return nothing(edited)
  },
  'account.export': async (_none, { net }) => {
    const file = await net.call(exportMe, {}, (body): unknown => body)
    return file.kind === 'unchanged' ? lost : file
  },
  'account.delete': async ({ password }, { net, erase }) => {
    const deleted = nothing(await net.call(deleteMe, { body: { current_password: password } }))
    if (deleted.kind === 'done') await erase()
    return deleted
  },
}

const lost: Outcome<never> = { kind: 'later', why: 'server', retryAfterMs: null, reached: true }

function nothing(reply: Reply<unknown>): Outcome<null> {
  if (reply.kind === 'unchanged') return lost
  return reply.kind === 'done' ? { kind: 'done', answer: null } : reply
}

/** As API.md 7.4 wants it: a file in a form, or null for none. */
function pictureOf(photo: unknown): FormData | { avatar: null } {
  if (!(photo instanceof Blob)) return { avatar: null }
  const form = new FormData()
  form.set('avatar', photo, 'avatar.jpg')
  return form
}
