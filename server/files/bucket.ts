import { AwsClient } from 'aws4fetch'
import { typeOf, type FileStore } from './storage.ts'

export type Bucket = Readonly<{
  endpoint: string
  region: string
  bucket: string
  accessKeyId: string
  secretAccessKey: string
}>

const TIMEOUT_MS = 15_000

/** A failure throws: the request answers 5xx and is retried. */
export function bucketStore({
  endpoint,
  region,
  bucket,
  accessKeyId,
  secretAccessKey,
}: Bucket): FileStore {
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries: 3 })
  const root = `${endpoint.replace(/\/+$/, '')}/${bucket}`
  const ask = async (address: string, method: string, more: RequestInit = {}) => {
    const answer = await client.fetch(address, {
      method,
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...more,
    })
    if (answer.ok || answer.status === 404) return answer
    await answer.body?.cancel()
    throw new Error(`the bucket answered ${answer.status} to ${method}`)
  }
  return {
    async put(key, bytes) {
      const answer = await ask(`${root}/${key}`, 'PUT', {
        body: new Uint8Array(bytes),
        headers: {
          'Content-Type': typeOf(key),
          'Cache-Control': 'public, max-age=31536000, immutable',
        },
      })
      await answer.body?.cancel()
      if (answer.status === 404) throw new Error(`there is no bucket ${bucket}`)
    },
    async get(key) {
      const answer = await ask(`${root}/${key}`, 'GET')
      if (answer.ok) return new Uint8Array(await answer.arrayBuffer())
      await answer.body?.cancel()
      return null
    },
    async remove(folder) {
      for (const key of await keysBelow(folder))
        await (await ask(`${root}/${key}`, 'DELETE')).body?.cancel()
    },
  }

  async function keysBelow(folder: string) {
    const answer = await ask(
      `${root}?list-type=2&max-keys=1000&prefix=${encodeURIComponent(`${folder}/`)}`,
      'GET',
    )
    const listed = await answer.text()
    // A picture has at most seven files: one page of the list.
    return [...listed.matchAll(/<Key>([^<]+)<\/Key>/g)].flatMap(([, key]) =>
      key?.startsWith(folder) === true ? [key] : [],
    )
  }
}
