type Sleeper = () => void
const sleepers = new Map<string, Set<Sleeper>>()

/** Tells the job of this name that there is something to do now. Other processes find it at their next round. */
export function wake(name: string): void {
  for (const sleeper of sleepers.get(name) ?? []) sleeper()
}

/** Calls `sleeper` at each `wake(name)`; answers how to stop. */
export function onWake(name: string, sleeper: Sleeper): () => void {
  const set = sleepers.get(name) ?? new Set()
  sleepers.set(name, set.add(sleeper))
  return () => set.delete(sleeper)
}
