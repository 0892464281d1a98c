/** A worker reads the policy from its own response. */
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
  // the search form, for browsers without scripts
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types default',
].join('; ')

/** `hashes`: base64 SHA-256 of the exact inline styles. */
export const policyWith = (hashes: readonly string[]) =>
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
