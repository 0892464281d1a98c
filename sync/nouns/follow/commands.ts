import type { ListDocument } from '#schema/disk/documents'
import type { Payload } from '#schema/port/command'
import { toggleFollow } from '#schema/wire/follow'
import type { CommandRule, CommandRules, Tools } from '../../noun.ts'
import { collapseDesired } from '../desired.ts'
import { amount, flag, members } from '../tolerant.ts'

interface Followed {
  readonly following: boolean
  readonly followers: number | null
}

const follow: CommandRule<Payload<'user.follow'>, Followed> = {
  lane: ({ user }) => `follow:${user}`,
  collapse: ({ following }, waiting, refused, id) =>
    collapseDesired(id, following, waiting, refused, (payload) => payload.following),
  async apply({ payload: { user, following } }, tools) {
    await keep(tools, user, (before) => turned(before, following))
  },
  deliver: ({ payload: { user, following } }) => ({
    call: toggleFollow,
    params: { id: user },
    body: { desired: following },
  }),
  answer(body) {
    const following = flag(members(body)['following'])
    return following === null
      ? null
      : { following, followers: amount(members(body)['followers_count']) }
  },
  async settle({ payload: { user, following } }, answer, tools) {
    await keep(tools, user, (before) => answer ?? { ...before, following })
  },
  async revert({ payload: { user, following } }, _problem, tools) {
    await keep(tools, user, (before) => turned(before, !following))
  },
}

function turned(before: Followed, following: boolean): Followed {
  return {
    following,
    followers:
      before.followers === null
        ? null
        : before.followers + Number(following) - Number(before.following),
  }
}

async function keep(
  { store }: Tools,
  user: string,
  change: (before: Followed) => Followed,
): Promise<void> {
  const id = `follow:${user}`
  const known = await store.one('ownLists', id)
  const said = members(known?.facts)
  const facts = change({
    following: flag(said['following']) ?? false,
    followers: amount(said['followers']),
  })
  const empty: ListDocument = {
    id,
    ids: [],
    count: null,
    next: null,
    cursor: null,
    etag: null,
    at: 0,
    problem: null,
    facts,
  }
  await store.put('ownLists', [{ ...(known ?? empty), facts, etag: null }])
}

export const commands = { 'user.follow': follow } satisfies CommandRules
