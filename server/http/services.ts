import type { Services } from '../route/services.ts'
import type { Metrics } from './operations/metrics.ts'
import type { Deltas } from './pages/deltas.ts'
import type { Prerender } from './pages/prerender.ts'
import type { WebApp } from './pages/static.ts'

export interface ServerServices extends Services {
  readonly web: WebApp
  /** Null: earlier builds cannot be kept. */
  readonly deltas: Deltas | null
  readonly prerender: Prerender | null
  readonly metrics: Metrics
}
