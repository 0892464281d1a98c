const ALLOWED =
  'Authorization, Content-Type, Accept-Language, Idempotency-Key, If-None-Match, X-Request-Id, X-Session-Id'
const EXPOSED = 'ETag, Retry-After, X-Request-Id, Idempotent-Replayed, Date, Content-Language'

export function corsHeaders(request: Request, origins: readonly string[]): Record<string, string> {
  const origin = request.headers.get('origin')
  return origin !== null && origins.includes(origin)
    ? { 'Access-Control-Allow-Origin': origin, 'Access-Control-Expose-Headers': EXPOSED }
    : {}
}

/** null for anything but the preflight of a listed origin. */
export function preflight(
  request: Request,
  origins: readonly string[],
  methods: readonly string[],
): Response | null {
  const asks = request.method === 'OPTIONS' && request.headers.has('access-control-request-method')
  const allowed = corsHeaders(request, origins)
  if (!asks || !('Access-Control-Allow-Origin' in allowed)) return null
  return new Response(null, {
    status: 204,
    headers: {
      ...allowed,
      'Access-Control-Allow-Methods': methods.join(', '),
      'Access-Control-Allow-Headers': ALLOWED,
      'Access-Control-Max-Age': '86400',
      'Cache-Control': 'no-store',
    },
  })
}
