import { useEffect, useState } from 'react'

/** null while it loads, and without a key. `load` is called once for each key. */
export function useLoaded<T>(key: string | null, load: (key: string) => Promise<T>): T | null {
  const [loaded, setLoaded] = useState<{ readonly key: string; readonly value: T } | null>(null)
  useEffect(() => {
    if (key === null) return undefined
    let wanted = true
    void load(key).then((value) => wanted && setLoaded({ key, value }))
    return () => {
      wanted = false
    }
  }, [key, load])
  return loaded?.key === key ? (loaded?.value ?? null) : null
}
