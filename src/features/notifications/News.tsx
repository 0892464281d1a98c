import { useLingui } from '@lingui/react/macro'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { EVENT_DEBOUNCE_MS } from '#schema/limits'
import { onEvent } from '../../data/engine.ts'
import { useLiveQuery } from '../../data/read.ts'
import { toast } from '../../ui/toasts.ts'
import { burst } from './burst.ts'
import { describe, destinationOf } from './describe.ts'

/** [S4.12, S4.16] */
export function News({ unread }: { readonly unread: number }) {
  const id = useNotified()
  useAppBadge(unread)
  return id === null ? null : <NewsToast key={id} id={id} />
}

/** The newest within [S9.16]: a burst gives one toast. */
function useNotified() {
  const [id, setId] = useState<string | null>(null)
  useEffect(() => {
    const { take, stop } = burst(EVENT_DEBOUNCE_MS, setId)
    const unsubscribe = onEvent((note) => note.kind === 'notified' && take(note.id))
    return () => {
      unsubscribe()
      stop()
    }
  }, [])
  return id
}

/** No toast for the open screen, or if read meanwhile. */
function NewsToast({ id }: { readonly id: string }) {
  const { t } = useLingui()
  const { history } = useRouter()
  const { rows } = useLiveQuery('notifications.latest', { limit: 6 })
  const news = rows.find((row) => row.id === id)
  const shown = useRef(false)
  useEffect(() => {
    if (shown.current || !news) return
    shown.current = true
    if (news.read || document.visibilityState === 'hidden') return
    const destination = destinationOf(news, location.origin)
    if (destination === location.pathname) return
    const { title, body } = describe(news)
    const action =
      destination === null ? undefined : { label: t`Voir`, run: () => history.push(destination) }
    toast(body, { title, ...(action && { action }) })
  }, [news, history, t])
  return null
}

function useAppBadge(unread: number) {
  useEffect(() => {
    navigator.setAppBadge?.(unread).catch(() => undefined)
    return () => void navigator.clearAppBadge?.().catch(() => undefined)
  }, [unread])
}
