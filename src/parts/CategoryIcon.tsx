import { lazy, Suspense } from 'react'

/** Eighteen drawings that a list of photos can do without: they come when one is shown. */
const Drawn = lazy(async () => ({ default: (await import('./CategoryIcons.tsx')).CategoryIcon }))

export function CategoryIcon({ slug }: { slug: string }) {
  return (
    <Suspense>
      <Drawn slug={slug} />
    </Suspense>
  )
}
