import type { AccountDocument, ConversationDocument } from '#schema/disk/documents'
import type { Payload } from '#schema/port/command'
import { editMe } from '#schema/wire/account'
import { addBlock, removeBlock } from '#schema/wire/block'
import type { CommandRule, CommandRules, Store } from '../../noun.ts'
import { collapseAll, collapseDesired } from '../collapse.ts'
import { idOf, members, seller } from '../tolerant.ts'
import { readAccount } from './read.ts'

const edit: CommandRule<Payload<'account.edit'>, AccountDocument> = {
  lane: () => 'account',
  /** Replaces earlier edits that changed only fields of this one. */
  collapse: (payload, waiting, refused, id) =>
    collapseAll(
      id,
      [...waiting, ...refused].filter((one) =>
        Object.keys(one.payload).every((member) => Object.hasOwn(payload, member)),
      ),
    ),
  async apply({ payload }, { store }) {
    await store.change('account', 'me', (stored) => ({
      ...stored,
      user: { ...stored.user, ...given(payload) },
    }))
  },
  deliver: ({ payload }) => ({ call: editMe, body: payload }),
  answer: (body) => readAccount(body),
  async settle(_queued, answer, { store }) {
    if (answer) await store.put('account', [answer])
  },
}

function given({ shop_name, bio, phone, language }: Payload<'account.edit'>) {
  return {
    ...(shop_name !== undefined && { shop_name }),
    ...(bio !== undefined && { bio }),
    ...(phone !== undefined && { phone }),
    ...(language !== undefined && { language }),
  }
}

const block: CommandRule<Payload<'user.block'>, true> = {
  lane: ({ user }) => `block:${user}`,
  collapse: ({ blocked }, waiting, refused, id) =>
    collapseDesired(id, blocked, waiting, refused, (payload) => payload.blocked),
  apply: ({ payload }, { store }) => showBlocked(payload, store),
  deliver: ({ payload: { user, blocked } }) =>
    blocked
      ? { call: addBlock, body: { user_id: user } }
      : { call: removeBlock, params: { id: user } },
  answer: (body, { payload: { user, blocked } }) =>
    (blocked ? idOf(members(body)['user_id']) === user : body === null) ? true : null,
  isAlreadyDone: (_problem, status, { payload }) => !payload.blocked && status === 404,
  /** Again: storage may have been full at the first time. */
  settle: ({ payload }, _answer, { store }) => showBlocked(payload, store),
  revert: ({ payload: { user, blocked } }, _problem, { store }) =>
    showBlocked({ user, blocked: !blocked }, store),
}

/** Upper bound of conversations to search. */
const CONVERSATIONS = 500

/**
 * Optimistic update: sets `can_send` in common conversations, and adds or removes the person in the
 * list of blocked users.
 */
async function showBlocked({ user, blocked }: Payload<'user.block'>, store: Store): Promise<void> {
  const all = await store.conversations
    .find({ sort: [{ newest: 'asc' }], limit: CONVERSATIONS })
    .exec()
  const common = all.filter(({ participants }) => participants.some(({ id }) => id === user))
  for (const { id } of common)
    await store.change('conversations', id, (stored) => writable(stored, blocked))
  const person =
    common.flatMap(({ participants }) => participants).find(({ id }) => id === user) ??
    (await store.one('shops', user))
  await store.change('ownLists', BLOCKED, (list) => {
    const known: readonly unknown[] = Array.isArray(list.facts) ? list.facts : []
    const others = known.filter((one) => idOf(one) !== user)
    return { ...list, facts: blocked && person ? [seller(person), ...others] : others }
  })
}

function writable(conversation: ConversationDocument, blocked: boolean): ConversationDocument {
  if (blocked) return { ...conversation, can_send: false, cannot_send_reason: 'blocked_by_me' }
  return conversation.cannot_send_reason === 'blocked_by_me'
    ? { ...conversation, can_send: true, cannot_send_reason: null }
    : conversation
}

export const BLOCKED = 'blocked'

export const commands = { 'account.edit': edit, 'user.block': block } satisfies CommandRules
