type Sleeper = () => void
const sleepers = new Map<string, Set<Sleeper>>()

/** Other processes find the work at their next poll. */
export function wake(name: string) {
  for (const sleeper of sleepers.get(name) ?? []) sleeper()
}

export function onWake(name: string, sleeper: Sleeper): () => void {
  const set = sleepers.get(name) ?? new Set()
  sleepers.set(name, set.add(sleeper))
  return () => set.delete(sleeper)
}
