import { join } from 'node:path'
import type { Config } from '../config.ts'
import { bucketStore } from './bucket.ts'
import { type FileStore, folderStore } from './storage.ts'

/** A bucket when S3 is set, else DATA_DIR. */
export function openFiles({ s3, dataDir }: Pick<Config, 's3' | 'dataDir'>): FileStore {
  return s3 === null ? folderStore(join(dataDir, 'media')) : bucketStore(s3)
}
