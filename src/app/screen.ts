import { APP_NAME } from '#schema/app'
import { useEffect } from 'react'

/**
 * Every screen calls it once. `data-ready` on `html`: the first screen is interactive [SURFACE 2].
 */
export function useScreen(title: string, shown = true): void {
  useEffect(() => {
    const text = title === '' ? APP_NAME : `${title} · ${APP_NAME}`
    // Setting an equal title again costs as much as rendering a card.
    if (document.title !== text) document.title = text
  }, [title])
  useEffect(() => {
    if (shown) document.documentElement.dataset['ready'] = ''
  }, [shown])
}
