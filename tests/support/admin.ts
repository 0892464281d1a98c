import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Product } from './product.ts'

const run = promisify(execFile)

/** Runs a moderator's command [API 16]. Asynchronous, because the proxies run in this process. */
export async function admin(market: Pick<Product, 'dataDir'>, ...args: string[]): Promise<string> {
  const { stdout } = await run('node', ['server/admin/main.ts', ...args], {
    env: { ...process.env, DATA_DIR: market.dataDir },
  })
  return stdout
}
