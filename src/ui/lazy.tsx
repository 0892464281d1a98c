'use no memo'

import { type ComponentType, lazy, type ReactNode, Suspense } from 'react'

type Load<N extends string, P> = () => Promise<Readonly<Record<N, ComponentType<P>>>>

/** A component in a chunk of its own; `meanwhile` is shown until it is loaded. */
export function lazyNamed<N extends string, P extends object>(
  load: Load<N, P>,
  name: N,
  meanwhile?: ReactNode,
) {
  const Loaded = lazy<ComponentType<P>>(async () => ({ default: (await load())[name] }))
  return (props: P) => (
    <Suspense fallback={meanwhile}>
      <Loaded {...props} />
    </Suspense>
  )
}

/** The same, left out if its chunk is missing offline. */
export function lazyOptional<N extends string, P extends object>(
  load: Load<N, P>,
  name: N,
  meanwhile?: ReactNode,
) {
  const none: Readonly<Record<string, ComponentType<P>>> = { [name]: () => null }
  return lazyNamed(() => load().catch(() => none), name, meanwhile)
}
