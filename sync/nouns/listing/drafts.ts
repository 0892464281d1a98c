import { from, map, switchMap } from 'rxjs'
import type { DraftStore, QuestionRule, QuestionRules, RequestRules, Tools } from '../../noun.ts'

/**
 * Drafts that wait to be published are shown among the own listings, and are stored until the
 * server has them.
 */
const drafts: QuestionRule<'listing.drafts'> = {
  watch: (_params, tools) => {
    const { me } = tools.currentUser()
    return from(tools.drafts()).pipe(
      switchMap((store) => store.observe(me)),
      map((rows) => ({ rows, facts: { owner: me } })),
    )
  },
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

/**
 * The draft's first owner, even if the session ended or another user signed in while a tab still
 * shows it. null: no owner and nobody signed in.
 */
async function ownerOf(
  draft: string,
  store: DraftStore,
  { currentUser, endedSessionOwner }: Tools,
): Promise<string | null> {
  return (await store.ownerOf(draft)) ?? (currentUser().me || (await endedSessionOwner()) || null)
}
