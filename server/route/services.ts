import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import type { Database } from '../db/open.ts'
import type { ImageWorker } from '../files/imageWorker/imageWorker.ts'
import type { FileStore } from '../files/storage.ts'
import type { Prerender } from '../http/pages/prerender.ts'
import type { Limiter } from './limits.ts'
import type { WebApp } from '../http/pages/static.ts'
import type { Metrics } from '../http/operations/metrics.ts'
import type { Mailer } from '../mail/mailer.ts'
import type { PushService } from '../webpush/service.ts'

export interface Services {
  readonly config: Config
  readonly database: Database
  readonly clock: Clock
  readonly limiter: Limiter
  readonly mailer: Mailer
  readonly push: PushService
  readonly imageWorker: ImageWorker
  readonly files: FileStore
  /** The built web app; empty for an API-only server. */
  readonly web: WebApp
  /** The app's own screens, for the first HTML; null where the app was not built. */
  readonly draw: Prerender | null
  readonly metrics: Metrics
  readonly log: Logger
  /** Without a trailing slash. */
  readonly publicUrl: string
}
