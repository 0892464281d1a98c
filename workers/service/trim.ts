/** Deletes the oldest entries beyond `most`; a cache lists its keys in insertion order. */
export async function trim(cache: Cache, most: number): Promise<void> {
  const keys = await cache.keys()
  await Promise.all(keys.slice(0, -most).map((key) => cache.delete(key)))
}
