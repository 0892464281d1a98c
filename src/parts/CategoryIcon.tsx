import { Suspense } from 'react'
import { lazyNamed } from '../ui/lazy.ts'

/** Eighteen icons, lazy-loaded: a list of photos rarely shows one. */
const Icon = lazyNamed(() => import('./CategoryIcons.tsx'), 'CategoryIcon')

export function CategoryIcon({ slug }: { slug: string }) {
  return (
    <Suspense>
      <Icon slug={slug} />
    </Suspense>
  )
}
