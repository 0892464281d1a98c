import { useState } from 'react'
import { MESSAGES_PAGE, THREAD_ROWS_MAX } from '#schema/limits'
import { useLiveQuery } from '../../data/read.ts'
import { shownFrom } from './thread.ts'

/** Rows fetched beyond the shown ones: this many messages may arrive before the next query. */
const SPARE = MESSAGES_PAGE / 2

/** A new message never removes a shown row at the top. `least`: rows to load, shown or not. */
export function useThread(conversation: string, least: number) {
  const [wanted, setWanted] = useState(2 * MESSAGES_PAGE - SPARE)
  const [asked, setAsked] = useState(wanted + SPARE)
  const limit = Math.min(Math.max(asked, least), THREAD_ROWS_MAX)
  const [oldest, setOldest] = useState(Infinity)
  const { rows, facts, status } = useLiveQuery('messages.thread', { conversation, limit })
  const start = shownFrom(rows, wanted, oldest)
  const first = rows[start]?.order ?? Infinity
  if (first < oldest) setOldest(first)
  if (start === 0 && rows.length === asked) setAsked(asked + SPARE)

  return {
    messages: start === 0 ? rows : rows.slice(start),
    facts,
    status,
    older: start > 0 || rows.length >= limit,
    more: () => {
      const next = rows.length - start + 2 * MESSAGES_PAGE
      setWanted(next)
      setAsked(next + SPARE)
    },
  }
}
