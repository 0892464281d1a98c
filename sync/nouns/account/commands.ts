import { editMe, user as userShape } from '#schema/wire/account'
import { addBlock, removeBlock } from '#schema/wire/block'
import type {
  AccountDocument,
  CommandRules,
  ConversationDocument,
  Payload,
  QueuedCommand,
  RuleOf,
  Tools,
} from '../../noun.ts'
import {
  answeredIf,
  answerOf,
  deletion,
  EPOCH,
  fill,
  given,
  idOf,
  members,
  moment,
  seller,
  text,
} from '../tolerant.ts'
import { toggle } from '../toggle.ts'

export function readAccount(body: unknown): AccountDocument | null {
  const { id: given, username, slug, date_joined, updated_at } = members(body)
  const id = idOf(given)
  if (id === null || text(username) === null) return null
  return {
    id: 'me',
    user: fill(userShape.entries, body, {
      slug: text(slug) ?? id,
      updated_at: moment(updated_at) ?? moment(date_joined) ?? EPOCH,
    }),
  }
}

const edit: RuleOf<'account.edit', AccountDocument> = {
  lane: () => 'account',
  collapse: (payload, earlier) =>
    Object.keys(earlier).every((member) => Object.hasOwn(payload, member)) ? 'replace' : null,
  apply: ({ payload }, { store }) =>
    store.account.change('me', (stored) => ({
      ...stored,
      user: { ...stored.user, ...given(payload) },
    })),
  deliver: ({ payload }) => ({ call: editMe, body: payload, answer: answerOf(readAccount) }),
  async settle(_queued, answer, { store }) {
    if (answer) await store.account.put([answer])
  },
}

const block: RuleOf<'user.block', true> = {
  lane: ({ user }) => `block:${user}`,
  ...toggle(({ blocked }) => blocked, showBlocked),
  deliver: ({ payload: { user, blocked } }) =>
    blocked
      ? {
          call: addBlock,
          body: { user_id: user },
          answer: answeredIf((body) => idOf(members(body)['user_id']) === user),
        }
      : deletion(removeBlock, user),
  /** `apply` fails with full storage. */
  settle: (queued, _answer, tools) => showBlocked(queued, queued.payload.blocked, tools),
}

async function showBlocked(
  { payload: { user } }: QueuedCommand<Payload<'user.block'>>,
  blocked: boolean,
  { store }: Tools,
) {
  const all = await store.conversations.find().exec()
  const common = all.filter(({ participants }) => participants.some(({ id }) => id === user))
  for (const { id } of common)
    await store.conversations.change(id, (stored) => writable(stored, blocked))
  const person =
    common.flatMap(({ participants }) => participants).find(({ id }) => id === user) ??
    (await store.shops.findOne(user).exec())
  await store.ownLists.change(BLOCKED, (list) => {
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
