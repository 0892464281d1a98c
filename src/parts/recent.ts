import { RECENT_SEARCHES } from '#schema/limits'
import { forget, keep, onSession, session, stored } from '../data/session.ts'

/** [S3.20] */
const KEY = 'recentSearches'

/** Newest first [S9.24]; any other value under the key is dropped. */
export function recentSearches(): readonly string[] {
  try {
    const value: unknown = JSON.parse(stored(KEY) ?? '[]')
    return Array.isArray(value)
      ? value.filter((one): one is string => typeof one === 'string').slice(0, RECENT_SEARCHES)
      : []
  } catch {
    return []
  }
}

export function rememberSearch(text: string) {
  const others = recentSearches().filter((one) => one.toLowerCase() !== text.toLowerCase())
  keep('local', KEY, JSON.stringify([text, ...others].slice(0, RECENT_SEARCHES)))
}

/** One user's searches are not shown to the next. */
let { token } = session()
onSession(() => {
  const before = token
  ;({ token } = session())
  if (before !== null && before !== token) forget(KEY)
})
