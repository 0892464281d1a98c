import type { WireAnswer, WireRequest } from '#sync/outside'

/** A request with upload progress: fetch has none, XMLHttpRequest does. */
export function upload(
  address: string,
  { method, headers, body, signal, onUploadProgress }: WireRequest,
): Promise<WireAnswer> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(method, address)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.upload.addEventListener('progress', ({ loaded, total }) =>
      onUploadProgress?.(loaded, loaded >= total),
    )
    request.addEventListener('load', () =>
      resolve({
        // XMLHttpRequest follows redirects; our server never redirects, so the answer is someone
        // else's.
        status: request.responseURL === address ? request.status : 0,
        header: (name) => request.getResponseHeader(name),
        text: () => Promise.resolve(request.responseText),
        bytes: () => new TextEncoder().encode(request.responseText).length,
      }),
    )
    for (const end of ['error', 'abort', 'timeout'] as const)
      request.addEventListener(end, () => reject(new TypeError(end)))
    signal.addEventListener('abort', () => request.abort())
    request.send(body)
  })
}
