import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import type { Database } from '../db/open.ts'
import type { ImageWorker } from '../files/imageWorker/imageWorker.ts'
import type { FileStore } from '../files/storage.ts'
import type { Limiter } from './limits.ts'
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
  readonly log: Logger
  readonly publicUrl: string
}
