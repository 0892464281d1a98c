/** Deletes the oldest entries past so many; a cache lists its keys in the order in which they came. */
export async function trim(cache: Cache, most: number): Promise<void> {
  const keys = await cache.keys()
  await Promise.all(keys.slice(0, -most).map((key) => cache.delete(key)))
}
