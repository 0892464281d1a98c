import { join } from 'node:path'
import type { Config } from '../config.ts'
import { bucketStore } from './bucket.ts'
import { type FileStore, folderStore } from './storage.ts'

export function openFiles({ s3, dataDir }: Pick<Config, 's3' | 'dataDir'>): FileStore {
  return s3 === null ? folderStore(join(dataDir, 'media')) : bucketStore(s3)
}
