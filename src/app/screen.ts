import { APP_NAME } from '#schema/app'
import { useEffect } from 'react'

/**
 * Every screen calls it once: the page's title, and when its first content stands.
 * `shown` false while nothing is known yet; `data-ready` on `html` says that the first screen answers a tap [SURFACE 2].
 */
export function useScreen(title: string, shown = true): void {
  useEffect(() => {
    const words = title === '' ? APP_NAME : `${title} · ${APP_NAME}`
    // A page that was drawn has it already; telling the browser's window again takes as long as a card.
    if (document.title !== words) document.title = words
  }, [title])
  useEffect(() => {
    if (shown) document.documentElement.dataset['ready'] = ''
  }, [shown])
}
