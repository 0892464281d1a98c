/**
 * Where to go after signing in [S2.16, S2.23]: path, query and hash of an address of this app, else null.
 * `//elsewhere`, `/\elsewhere`, `javascript:` and the like come from links that others wrote.
 */
export function ownPath(next: unknown, origin: string): string | null {
  if (typeof next !== 'string' || !next.startsWith('/')) return null
  const url = parsed(next, origin)
  if (url === null || url.origin !== origin || url.pathname.startsWith('//')) return null
  if (url.pathname === '/auth') return null
  return url.pathname + url.search + url.hash
}

/** URL.canParse and URL.parse are newer than the oldest Safari. */
function parsed(path: string, origin: string): URL | null {
  try {
    return new URL(path, origin)
  } catch {
    return null
  }
}

/** The sign-in address that remembers where one wanted to go. */
export function signInPath(wanted: string, mode: 'login' | 'register' = 'login'): string {
  return `/auth?${new URLSearchParams({ mode, next: wanted }).toString()}`
}
