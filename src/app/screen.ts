import { APP_NAME } from '#schema/app'
import { useEffect } from 'react'

/** Once per screen. `data-ready` on `html`: the first one is interactive [SURFACE 2]. */
export function useScreen(title: string, shown = true) {
  useEffect(() => {
    const text = title === '' ? APP_NAME : `${title} · ${APP_NAME}`
    // Setting an equal one costs as much as rendering a card.
    if (document.title !== text) document.title = text
  }, [title])
  useEffect(() => {
    if (shown) document.documentElement.dataset['ready'] = ''
  }, [shown])
}
