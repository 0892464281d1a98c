import { lazyNamed } from '../ui/lazy.tsx'

/** Lazy-loaded: a list of photos rarely shows one. */
export const CategoryIcon = lazyNamed(() => import('./CategoryIcons.tsx'), 'CategoryIcon')
