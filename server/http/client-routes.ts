/** Addresses that the web app itself answers ([S2.01] to [S2.22]); its router is the other place that names them. */
const EXACT = new Set([
  '/',
  '/recommendations',
  '/listings',
  '/browse',
  '/create-listing',
  '/dashboard',
  '/shop',
  '/messages',
  '/notifications',
  '/profile',
  '/outbox',
  '/saved',
  '/settings',
  '/help',
  '/auth',
  '/forgot-password',
  '/reset-password',
  '/verify-email',
  '/install',
  '/support/add-to-home',
  '/privacy',
  '/terms',
  '/post-ad',
  '/categories',
  '/safety',
])
/** Those with one more word: an id or a slug. */
const WITH_ID = /^\/(listings|shop|messages)\/[^/]+$/

/** Whether the client has a screen at this path; the trailing slash does not matter. */
export function isClientRoute(path: string): boolean {
  const plain = path.length > 1 ? path.replace(/\/$/, '') : path
  return EXACT.has(plain) || WITH_ID.test(plain)
}
