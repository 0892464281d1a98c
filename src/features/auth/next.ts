import { listingOfLocal } from '#schema/localConversation'

/** To open after signing in [S2.16, S2.23]; null unless same-origin: links may be hostile. */
export function ownPath(next: unknown, origin: string) {
  if (typeof next !== 'string' || !next.startsWith('/')) return null
  const url = parsed(next, origin)
  if (url === null || url.origin !== origin || url.pathname.startsWith('//')) return null
  if (url.pathname === '/auth') return null
  return url.pathname + url.search + url.hash
}

export function listingToWriteTo(next: string | null) {
  const [, conversation = ''] = /^\/messages\/([\w-]{1,80})$/.exec(next ?? '') ?? []
  return listingOfLocal(conversation)
}

/** The oldest supported Safari lacks URL.canParse and URL.parse. */
function parsed(path: string, origin: string) {
  try {
    return new URL(path, origin)
  } catch {
    return null
  }
}
