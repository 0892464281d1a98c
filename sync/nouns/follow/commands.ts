import { emptyList, type ListDocument } from '#schema/disk/documents'
import { toggleFollow } from '#schema/wire/follow'
import type { CommandRules, Facts, RuleOf, Tools } from '../../noun.ts'
import { amount, answerOf, flag, members } from '../tolerant.ts'
import { toggle } from '../toggle.ts'

type Followed = Facts<'seller.follow'>

const follow: RuleOf<'user.follow', Followed> = {
  lane: ({ user }) => `follow:${user}`,
  ...toggle(
    ({ following }) => following,
    ({ payload: { user } }, following, tools) =>
      store(tools, user, ({ following: before, followers }) => ({
        following,
        followers: followers === null ? null : followers + Number(following) - Number(before),
      })),
  ),
  deliver: ({ payload: { user, following } }) => ({
    call: toggleFollow,
    params: { id: user },
    body: { desired: following },
    answer: answerOf(readFollowed),
  }),
  settle: ({ payload: { user, following } }, answer, tools) =>
    store(tools, user, (before) => answer ?? { ...before, following }),
}

export function readFollowed(body: unknown) {
  const { following, is_following, followers, followers_count } = members(body)
  const on = flag(following ?? is_following)
  return on === null ? null : { following: on, followers: amount(followers ?? followers_count) }
}

export const followKey = (user: string) => `follow:${user}`

export function followFacts(list: ListDocument | null) {
  return readFollowed(list?.facts) ?? { following: false, followers: null }
}

async function store(tools: Tools, user: string, change: (before: Followed) => Followed) {
  const id = followKey(user)
  const known = await tools.store.ownLists.findOne(id).exec()
  const facts = change(followFacts(known))
  await tools.store.ownLists.put([{ ...(known ?? emptyList(id)), facts, etag: null }])
}

export const commands = { 'user.follow': follow } satisfies CommandRules
