import { useEffect, useRef } from 'react'
import type { Share } from '#schema/port/share'
import { forgetShare, sharedPhoto } from '../../data/shared.ts'
import { commandId } from '../../data/send.ts'
import type { Incoming, Photos } from './usePhotos.ts'

/**
 * Moves a share into the draft, then deletes it. A kill in between duplicates nothing: photos keep
 * their ids.
 */
export function useShared(
  share: Share | undefined,
  ids: readonly string[],
  photos: Photos,
  flush: () => Promise<void>,
): void {
  const begun = useRef<string | null>(null)

  async function takeOver(share: Share): Promise<void> {
    const missing = share.photos.filter(({ id }) => !ids.includes(id))
    const good = await Promise.all(
      missing.map(async ({ id, name }): Promise<Incoming> => ({
        id,
        name,
        file: (await sharedPhoto(id)) ?? 'not_here',
      })),
    )
    const all = await photos.add([
      ...good,
      ...share.refused.map(({ name, why }) => ({ id: commandId(), name, file: why })),
    ])
    await flush()
    if (all) await forgetShare(share)
  }

  useEffect(() => {
    if (!share || begun.current === share.id) return
    begun.current = share.id
    void takeOver(share)
  })
}
