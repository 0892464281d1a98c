import { wrap } from 'comlink'

/** Comlink's proxy is a function, and its types lose which answer belongs to which request. */
export function portOf<P>(worker: Worker): P {
  const port: unknown = wrap(worker)
  if (!isPort<P>(port)) throw new TypeError('no port')
  return port
}

function isPort<P>(value: unknown): value is P {
  return typeof value === 'function'
}

/** The oldest supported Safari lacks Promise.withResolvers. */
export function rejectable() {
  let reject: (why: Error) => void = () => undefined
  const promise = new Promise<never>((_resolve, no) => (reject = no))
  promise.catch(() => undefined)
  return { promise, reject }
}
