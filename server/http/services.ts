import type { Services } from '../route/index.ts'
import type { Metrics } from './operations/metrics.ts'
import type { Deltas } from './pages/deltas.ts'
import type { Prerender } from './pages/prerender.ts'
import type { WebApp } from './pages/static.ts'

export type ServerServices = Services &
  Readonly<{
    web: WebApp
    deltas: Deltas | null
    prerender: Prerender | null
    metrics: Metrics
  }>
