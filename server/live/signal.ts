/** In the order of registration. */
export function signal<T>() {
  const listeners = new Set<(value: T) => void>()
  return {
    emit(value: T): void {
      for (const listener of listeners) listener(value)
    },
    on(listener: (value: T) => void): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
