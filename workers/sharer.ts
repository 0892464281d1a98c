import { SHARER } from '#schema/port/share'
import { concatMap, distinctUntilChanged, type Observable, skip } from 'rxjs'

export function followSharer(
  who: Observable<{ readonly me: string }>,
  lasting: () => boolean | undefined,
) {
  who
    .pipe(
      // From before the session is known.
      skip(1),
      distinctUntilChanged((before, now) => before.me === now.me),
      // The name would outlive a session that ends with the browser.
      concatMap(({ me }) => nameSharer(lasting() ? me : '').catch(() => undefined)),
    )
    .subscribe()
}

async function nameSharer(me: string) {
  if (me === '') {
    await caches.delete(SHARER)
    return
  }
  const cache = await caches.open(SHARER)
  if ((await (await cache.match('/'))?.text()) !== me) await cache.put('/', new Response(me))
}
