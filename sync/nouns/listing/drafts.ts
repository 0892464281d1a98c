import { from, map, switchMap } from 'rxjs'
import type { DraftStore, QuestionRule, QuestionRules, RequestRules, Tools } from '../../noun.ts'

/** What waits to be published is shown among the own listings; it stays here until the server has it. */
const drafts: QuestionRule<'listing.drafts'> = {
  watch: (_params, tools) =>
    from(tools.drafts()).pipe(
      switchMap((store) => store.observe(tools.currentUser().me)),
      map((rows) => ({ rows, facts: {} })),
    ),
  needs: () => [],
  samples: [{}],
}

export const questions = { 'listing.drafts': drafts } satisfies QuestionRules

export const draftRequests: RequestRules = {
  'draft.keepListing': async ({ id, fields, photos, listing }, tools) => {
    const store = await tools.drafts()
    const owner = await ownerOf(id, store, tools)
    if (owner === null) return signedOut
    await store.save({ id, owner, fields, photos, listing, at: tools.now() })
    return done
  },
  'draft.removeListing': async ({ id }, tools) => {
    await (await tools.drafts()).remove(id)
    return done
  },
  'draft.keepPhoto': async ({ id, draft, file, bytes, width, height }, tools) => {
    const store = await tools.drafts()
    const owner = await ownerOf(draft, store, tools)
    if (owner === null) return signedOut
    await store.savePhoto({ id, draft, owner, file, bytes, width, height })
    return done
  },
  'draft.photo': async ({ id }, tools) => ({
    kind: 'done',
    answer: { file: await (await tools.drafts()).photo(id) },
  }),
  'draft.removePhoto': async ({ id }, tools) => {
    await (await tools.drafts()).removePhoto(id)
    return done
  },
}

const done = { kind: 'done', answer: null } as const
const signedOut = { kind: 'signed-out', problem: null } as const

/** Whose draft it is: whoever began it, though their session ends on the way or somebody else comes in while another tab still shows it. null: nobody is in, and nobody began it. */
async function ownerOf(
  draft: string,
  store: DraftStore,
  { currentUser, endedSessionOwner }: Tools,
): Promise<string | null> {
  return (await store.ownerOf(draft)) ?? (currentUser().me || (await endedSessionOwner()) || null)
}
