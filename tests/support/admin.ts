import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Product } from './product.ts'

const run = promisify(execFile)

/** What a moderator does on the command line of a running market [API 16]. Meanwhile the phones' network, which is in this process, goes on. */
export async function admin(market: Pick<Product, 'dataDir'>, ...words: string[]): Promise<string> {
  const { stdout } = await run('node', ['server/admin/main.ts', ...words], {
    env: { ...process.env, DATA_DIR: market.dataDir },
  })
  return stdout
}
