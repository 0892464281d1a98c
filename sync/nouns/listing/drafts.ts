import { from, map, Observable, startWith, switchMap } from 'rxjs'
import type { Outcome } from '#schema/port/outcome'
import type { DraftStore, QuestionRules, RequestRules, Tools } from '../../noun.ts'

export const questions = {
  'listing.drafts': {
    watch: (_params, tools) => {
      const { me } = tools.currentUser()
      return from(tools.drafts()).pipe(
        switchMap((store) =>
          new Observable<void>((reader) => store.onChange(() => reader.next())).pipe(
            startWith(undefined),
            switchMap(() => store.list(me)),
          ),
        ),
        map((rows) => ({ rows, facts: { owner: me } })),
      )
    },
    needs: () => [],
  },
} satisfies QuestionRules

export const draftRequests: RequestRules = {
  'draft.keepListing': (draft, tools) =>
    keep(draft.id, draft.owner, tools, (store, owner) =>
      store.save({ ...draft, owner, at: tools.now() }),
    ),
  'draft.removeListing': async ({ id }, tools) => {
    await (await tools.drafts()).remove(id)
    return done
  },
  'draft.keepPhoto': (photo, tools) =>
    keep(photo.draft, photo.owner, tools, (store, owner) => store.savePhoto({ ...photo, owner })),
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

/** Saves for the draft's first owner, even after the session ended or changed. */
async function keep(
  draft: string,
  beganBy: string | undefined,
  { drafts, currentUser, endedSessionOwner }: Tools,
  write: (store: DraftStore, owner: string) => Promise<void>,
): Promise<Outcome<null>> {
  const store = await drafts()
  const owner =
    (await store.ownerOf(draft)) ?? (beganBy || currentUser().me || (await endedSessionOwner()))
  if (owner === '') return { kind: 'signed-out', problem: null }
  await write(store, owner)
  return done
}
