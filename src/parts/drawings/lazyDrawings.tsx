import { lazyOptional } from '../../ui/lazy.tsx'

/** One chunk, loaded when needed: the first visit has no room for drawings. */
const load = () => import('./emptyStates.ts')

export const NoResult = lazyOptional(load, 'NoResult')
export const Offline = lazyOptional(load, 'Offline')
export const NotFound = lazyOptional(load, 'NotFound')
