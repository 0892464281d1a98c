import { type ComponentType, lazy } from 'react'

type Load<N extends string, P> = () => Promise<Readonly<Record<N, ComponentType<P>>>>

export function lazyNamed<N extends string, P>(load: Load<N, P>, name: N) {
  return lazy(async () => ({ default: (await load())[name] }))
}

/** The same, left out if its chunk is missing offline. */
export function lazyOptional<N extends string, P>(load: Load<N, P>, name: N) {
  const none: ComponentType<P> = () => null
  return lazy(() =>
    load().then(
      (module) => ({ default: module[name] }),
      () => ({ default: none }),
    ),
  )
}
