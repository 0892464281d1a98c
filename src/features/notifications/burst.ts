export function burst<T>(
  ms: number,
  then: (last: T) => void,
): { readonly take: (one: T) => void; readonly stop: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined
  const stop = () => clearTimeout(timer)
  return {
    take(one) {
      stop()
      timer = setTimeout(() => then(one), ms)
    },
    stop,
  }
}
