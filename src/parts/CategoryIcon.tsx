import { lazyNamed } from '../ui/lazy.tsx'

/** Eighteen icons, lazy-loaded: a list of photos rarely shows one. */
export const CategoryIcon = lazyNamed(() => import('./CategoryIcons.tsx'), 'CategoryIcon')
