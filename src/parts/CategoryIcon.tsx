import { lazyNamed } from '../ui/lazy.tsx'

export const CategoryIcon = lazyNamed(() => import('./CategoryIcons.tsx'), 'CategoryIcon')
