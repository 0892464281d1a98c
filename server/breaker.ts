type Circuit = 'closed' | 'open' | 'half-open'

export class CircuitOpen extends Error {}

export type Breaker = ReturnType<typeof openBreaker>

interface BreakerOptions {
  readonly patienceMs: number
  readonly retryMs: number
  trial(): Promise<unknown>
  changed(circuit: 'closed' | 'open', reason: unknown): void
}

/**
 * Opens at the first failure: its callers have a fallback. Its own trial closes it, at no caller's
 * cost.
 */
export function openBreaker({ patienceMs, retryMs, trial, changed }: BreakerOptions) {
  let circuit: Circuit = 'closed'
  let timer: NodeJS.Timeout | null = null

  function open(reason: unknown) {
    if (circuit === 'open') return
    const wasClosed = circuit === 'closed'
    circuit = 'open'
    timer = setTimeout(() => void tryAgain(), retryMs).unref()
    if (wasClosed) changed('open', reason)
  }

  async function tryAgain() {
    circuit = 'half-open'
    try {
      await within(patienceMs, trial())
    } catch (error) {
      return open(error)
    }
    circuit = 'closed'
    changed('closed', null)
  }

  return {
    get circuit(): Circuit {
      return circuit
    },
    /** Rejects while the circuit is open, and after `patienceMs`. */
    async run<T>(work: () => Promise<T>): Promise<T> {
      if (circuit !== 'closed') throw new CircuitOpen('the circuit is open')
      try {
        return await within(patienceMs, work())
      } catch (error) {
        if (circuit === 'closed') open(error)
        throw error
      }
    },
    close() {
      if (timer !== null) clearTimeout(timer)
    },
  }
}

/** An answer that arrived while the process was busy still counts: hence one more iteration. */
async function within<T>(ms: number, work: Promise<T>) {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => setImmediate(() => late.reject(new CircuitOpen(`no answer within ${ms} ms`))),
    ms,
  )
  try {
    return await Promise.race([work, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
