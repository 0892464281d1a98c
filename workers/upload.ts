import type { Outside } from '#sync/outside'

/** With progress, which fetch has not over HTTP/1.1. */
export const upload: Outside['upload'] = async (request, { signal, form, progress }) => {
  signal.throwIfAborted()
  const sending = new XMLHttpRequest()
  sending.open(request.method, request.url)
  for (const [name, value] of request.headers) sending.setRequestHeader(name, value)
  sending.upload.addEventListener('progress', ({ loaded, total }) =>
    progress(loaded, loaded >= total),
  )
  await new Promise((resolve, reject) => {
    sending.addEventListener('load', resolve)
    for (const end of ['error', 'abort', 'timeout'] as const)
      sending.addEventListener(end, () => reject(new TypeError(end)))
    signal.addEventListener('abort', () => sending.abort())
    sending.send(form)
  })
  // It follows redirects, but our server never redirects: the answer is someone else's.
  if (sending.responseURL !== request.url) return Response.error()
  return new Response(sending.responseText || null, {
    status: sending.status,
    headers: headersOf(sending),
  })
}

function headersOf(answered: XMLHttpRequest): [string, string][] {
  const lines = answered.getAllResponseHeaders().matchAll(/^([^:\s]+): (.*)$/gm)
  return Array.from(lines, ([, name = '', value = '']) => [name, value])
}
