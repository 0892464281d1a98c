/**
 * What pages may do: scripts, styles and workers from here alone, code from text never. Workers read the
 * policy from their own answer, so every file of the app carries it.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob: data:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  // the search, for a page without scripts
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types default',
].join('; ')

/** The same for a page that brings styles with it: `hashes` are the base64 SHA-256 of exactly these. */
export const policyWith = (hashes: readonly string[]): string =>
  POLICY.replace(
    "style-src 'self'",
    ["style-src 'self'", ...hashes.map((hash) => `'sha256-${hash}'`)].join(' '),
  )

export const pageHeaders = {
  'Content-Security-Policy': POLICY,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(self), microphone=(), payment=(), usb=()',
} as const
