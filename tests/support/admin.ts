import { execFileSync } from 'node:child_process'
import type { Product } from './product.ts'

/** What a moderator does on the command line of a running market (API.md 16). */
export function admin(market: Pick<Product, 'dataDir'>, ...words: string[]): string {
  return execFileSync('node', ['server/admin/main.ts', ...words], { env: { ...process.env, DATA_DIR: market.dataDir }, encoding: 'utf8' })
}
