import { lazyOptional } from '../../ui/lazy.tsx'

/** For screens of the first visit, which has no room for drawings: one chunk, loaded when needed. */
const load = () => import('./emptyStates.ts')

export const NoResult = lazyOptional(load, 'NoResult')
export const Offline = lazyOptional(load, 'Offline')
export const NotFound = lazyOptional(load, 'NotFound')
