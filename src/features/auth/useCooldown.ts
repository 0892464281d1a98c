import { useEffect, useState } from 'react'

/** Seconds until the next request is allowed [S5.03]. */
export function useCooldown() {
  const [until, setUntil] = useState(0)
  const [left, setLeft] = useState(0)

  useEffect(() => {
    if (until === 0) return undefined
    const count = () => setLeft(Math.max(0, Math.ceil((until - Date.now()) / 1000)))
    count()
    const timer = setInterval(count, 1000)
    return () => clearInterval(timer)
  }, [until])

  return { left, start: (seconds: number) => setUntil(Date.now() + seconds * 1000) }
}
