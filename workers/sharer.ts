import { SHARER } from '#schema/port/share'
import { concatMap, distinctUntilChanged, type Observable, skip } from 'rxjs'

/** Tells the service worker who owns what is shared from now on. */
export function followSharer(who: Observable<{ readonly me: string }>): void {
  who
    .pipe(
      // The first value is from before the session is known.
      skip(1),
      distinctUntilChanged((before, now) => before.me === now.me),
      concatMap(({ me }) => nameSharer(me).catch(() => undefined)),
    )
    .subscribe()
}

async function nameSharer(me: string): Promise<void> {
  if (me === '') {
    await caches.delete(SHARER)
    return
  }
  const cache = await caches.open(SHARER)
  if ((await (await cache.match('/'))?.text()) !== me) await cache.put('/', new Response(me))
}
