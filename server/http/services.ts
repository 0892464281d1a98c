import type { Services } from '../route/services.ts'
import type { Metrics } from './operations/metrics.ts'
import type { Prerender } from './pages/prerender.ts'
import type { WebApp } from './pages/static.ts'

export interface ServerServices extends Services {
  /** The built web app; empty for an API-only server. */
  readonly web: WebApp
  /** The app's own screens, for the first HTML; null where the app was not built. */
  readonly prerender: Prerender | null
  readonly metrics: Metrics
}
