/**
 * Where to go after signing in (S2.16, S2.23): path, query and hash of an address of this app, else null.
 * `//elsewhere`, `/\elsewhere`, `javascript:` and the like come from links that others wrote.
 */
export function ownPath(next: unknown, origin: string): string | null {
  if (typeof next !== 'string' || !next.startsWith('/') || !URL.canParse(next, origin)) return null
  const url = new URL(next, origin)
  if (url.origin !== origin || url.pathname.startsWith('//')) return null
  if (url.pathname === '/auth') return null
  return url.pathname + url.search + url.hash
}

/** The sign-in address that remembers where one wanted to go. */
export function signInPath(wanted: string, mode: 'login' | 'register' = 'login'): string {
  return `/auth?${new URLSearchParams({ mode, next: wanted }).toString()}`
}
