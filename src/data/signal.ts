/** `on` returns the way to stop listening. */
export function signal<T = void>() {
  const listeners = new Set<(value: T) => void>()
  return {
    on(listener: (value: T) => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    emit(value: T) {
      for (const listener of listeners) listener(value)
    },
  }
}
