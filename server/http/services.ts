import type { Services } from '../route/services.ts'
import type { Metrics } from './operations/metrics.ts'
import type { Prerender } from './pages/prerender.ts'
import type { WebApp } from './pages/static.ts'

export interface ServerServices extends Services {
  readonly web: WebApp
  readonly prerender: Prerender | null
  readonly metrics: Metrics
}
