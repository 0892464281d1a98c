/** Screens ([S2.01] to [S2.22]); a test compares them with the app's router. */
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
const WITH_ID = /^\/(listings|shop|messages)\/[^/]+$/

export function isClientRoute(path: string): boolean {
  const plain = path.length > 1 ? path.replace(/\/$/, '') : path
  return EXACT.has(plain) || WITH_ID.test(plain)
}
