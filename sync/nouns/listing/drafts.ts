import { from, map, switchMap } from 'rxjs'
import type { Drafts, QuestionRule, QuestionRules, RequestRules, Tools } from '../../noun.ts'

/** What waits to be published is shown among the own listings; it stays here until the server has it. */
const drafts: QuestionRule<'listing.drafts'> = {
  watch: (_params, tools) =>
    from(tools.drafts()).pipe(
      switchMap((shelf) => shelf.live(tools.who().me)),
      map((rows) => ({ rows, facts: {} })),
    ),
  needs: () => [],
  samples: [{}],
}

export const questions = { 'listing.drafts': drafts } satisfies QuestionRules

export const draftRequests: RequestRules = {
  'draft.keepListing': async ({ id, fields, photos, listing }, tools) => {
    const shelf = await tools.drafts()
    const owner = await ownerOf(id, shelf, tools)
    if (owner === null) return signedOut
    await shelf.keep({ id, owner, fields, photos, listing, at: tools.now() })
    return done
  },
  'draft.removeListing': async ({ id }, tools) => {
    await (await tools.drafts()).remove(id)
    return done
  },
  'draft.keepPhoto': async ({ id, draft, file, bytes, width, height }, tools) => {
    const shelf = await tools.drafts()
    const owner = await ownerOf(draft, shelf, tools)
    if (owner === null) return signedOut
    await shelf.keepPhoto({ id, draft, owner, file, bytes, width, height })
    return done
  },
  'draft.photo': async ({ id }, tools) => ({ kind: 'done', answer: { file: await (await tools.drafts()).photo(id) } }),
  'draft.removePhoto': async ({ id }, tools) => {
    await (await tools.drafts()).removePhoto(id)
    return done
  },
}

const done = { kind: 'done', answer: null } as const
const signedOut = { kind: 'signed-out', problem: null } as const

/** Whose draft it is: whoever began it, though their session ends on the way or somebody else comes in while another tab still shows it. null: nobody is in, and nobody began it. */
async function ownerOf(draft: string, shelf: Drafts, { who, lapsed }: Tools): Promise<string | null> {
  return (await shelf.ownerOf(draft)) ?? (who().me || (await lapsed()) || null)
}
