/** The oldest supported Safari lacks Promise.withResolvers. */
export function rejectable(): {
  readonly promise: Promise<never>
  readonly reject: (why: Error) => void
} {
  let reject: (why: Error) => void = () => undefined
  const promise = new Promise<never>((_resolve, no) => (reject = no))
  promise.catch(() => undefined)
  return { promise, reject }
}
