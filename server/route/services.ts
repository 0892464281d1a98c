import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import type { Database } from '../db/open.ts'
import type { ImageWorker } from '../files/imageWorker/imageWorker.ts'
import type { FileStore } from '../files/storage.ts'
import type { Limiter } from './limits.ts'
import type { Mailer } from '../mail/mailer.ts'
import type { PushService } from '../webpush/service.ts'

export type Services = Readonly<{
  config: Config
  database: Database
  clock: Clock
  limiter: Limiter
  mailer: Mailer
  push: PushService
  imageWorker: ImageWorker
  files: FileStore
  log: Logger
  publicUrl: string
}>
