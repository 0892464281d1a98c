import { emptyList, type ListDocument } from '#schema/disk/documents'
import type { Payload } from '#schema/port/command'
import { toggleFollow } from '#schema/wire/follow'
import type { CommandRule, CommandRules, Tools } from '../../noun.ts'
import { amount, flag, members } from '../tolerant.ts'
import { toggle } from '../toggle.ts'

interface Followed {
  readonly following: boolean
  readonly followers: number | null
}

const follow: CommandRule<Payload<'user.follow'>, Followed> = {
  lane: ({ user }) => `follow:${user}`,
  ...toggle(
    ({ following }) => following,
    ({ payload: { user } }, following, tools) =>
      store(tools, user, (before) => toggled(before, following)),
  ),
  deliver: ({ payload: { user, following } }) => ({
    call: toggleFollow,
    params: { id: user },
    body: { desired: following },
    answer(body) {
      const { following: now, followers_count: count } = members(body)
      const on = flag(now)
      return on === null ? null : { answer: { following: on, followers: amount(count) } }
    },
  }),
  settle: ({ payload: { user, following } }, answer, tools) =>
    store(tools, user, (before) => answer ?? { ...before, following }),
}

function toggled({ following: before, followers }: Followed, following: boolean): Followed {
  return {
    following,
    followers: followers === null ? null : followers + Number(following) - Number(before),
  }
}

/** The list document of the question `seller.follow`, whose facts these are. */
export const followKey = (user: string) => `follow:${user}`

export function followFacts(list: ListDocument | null): Followed {
  const facts = members(list?.facts)
  return { following: flag(facts['following']) ?? false, followers: amount(facts['followers']) }
}

async function store(
  tools: Tools,
  user: string,
  change: (before: Followed) => Followed,
): Promise<void> {
  const id = followKey(user)
  const known = await tools.store.ownLists.findOne(id).exec()
  const facts = change(followFacts(known))
  await tools.store.ownLists.put([{ ...(known ?? emptyList(id)), facts, etag: null }])
}

export const commands = { 'user.follow': follow } satisfies CommandRules
