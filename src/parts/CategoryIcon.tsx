import { lazy, Suspense } from 'react'

/** Eighteen icons, lazy-loaded: a list of photos rarely shows one. */
const Drawn = lazy(async () => ({ default: (await import('./CategoryIcons.tsx')).CategoryIcon }))

export function CategoryIcon({ slug }: { slug: string }) {
  return (
    <Suspense>
      <Drawn slug={slug} />
    </Suspense>
  )
}
