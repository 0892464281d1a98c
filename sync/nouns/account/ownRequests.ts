import { changePassword, deleteMe, editMe, exportMe } from '#schema/wire/account'
import type { Outcome } from '#schema/port/outcome'
import type { BodyOf } from '#schema/wire/call'
import type { CallResult, RequestRules, Tools } from '../../noun.ts'
import { readAccount } from './read.ts'

export const ownAccountRequests: RequestRules = {
  'account.password': async ({ current, next }, { http }) =>
    nothing(
      await http.call(changePassword, { body: { current_password: current, new_password: next } }),
    ),
  'account.email': ({ email, password }, tools) =>
    edit(tools, { email, current_password: password }),
  'account.avatar': ({ photo }, tools) => edit(tools, pictureOf(photo)),
  'account.export': async (_none, { http }) => {
    const file = await http.call(exportMe, {}, (body): unknown => body)
    return file.kind === 'unchanged' ? lost : file
  },
  'account.delete': async ({ password }, { http, eraseOwnData }) => {
    const deleted = nothing(await http.call(deleteMe, { body: { current_password: password } }))
    if (deleted.kind === 'done') await eraseOwnData()
    return deleted
  },
}

const lost: Outcome<never> = { kind: 'later', why: 'server', retryAfterMs: null, reached: true }

async function edit(
  { http, store }: Tools,
  body: BodyOf<typeof editMe> | FormData,
): Promise<Outcome<null>> {
  const edited = await http.call(editMe, { body }, readAccount)
  if (edited.kind === 'done') await store.put('account', [edited.answer])
  return nothing(edited)
}

function nothing(reply: CallResult<unknown>): Outcome<null> {
  if (reply.kind === 'unchanged') return lost
  return reply.kind === 'done' ? { kind: 'done', answer: null } : reply
}

/** [API 7.4]: a file in a form, or `avatar: null` to remove it. */
function pictureOf(photo: unknown): FormData | { avatar: null } {
  if (!(photo instanceof Blob)) return { avatar: null }
  const form = new FormData()
  form.set('avatar', photo, 'avatar.jpg')
  return form
}
