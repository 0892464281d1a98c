/** Promise wrappers for IndexedDB. A library would be as large as the outbox code itself. */

export interface Opening {
  readonly factory: IDBFactory
  readonly name: string
  readonly version?: number
  upgrade?(database: IDBDatabase, from: number): void
}

export function opened({ factory, name, version, upgrade }: Opening): Promise<IDBDatabase> {
  const request = factory.open(name, version)
  request.addEventListener('upgradeneeded', ({ oldVersion }) =>
    upgrade?.(request.result, oldVersion),
  )
  return answered(request)
}

export function answered<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error ?? new Error('no answer')))
  })
}

/**
 * Resolves once the transaction is on disk; rejects with the reason of the abort. An ignored
 * rejection is not reported.
 */
export function committed(transaction: IDBTransaction): Promise<void> {
  const done = new Promise<void>((resolve, reject) => {
    transaction.addEventListener('complete', () => resolve())
    transaction.addEventListener('abort', () =>
      reject(transaction.error ?? new DOMException('undone', 'AbortError')),
    )
  })
  done.catch(() => undefined)
  return done
}
