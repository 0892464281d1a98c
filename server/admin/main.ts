import { userInfo } from 'node:os'
import { ConfigError, readConfig } from '../config.ts'
import { FolderInUse } from '../db/lock.ts'
import { Behind, runAlone } from './alone.ts'
import type { Outcome } from './command.ts'
import type { Order } from './run.ts'
import { askServer } from './socket.ts'

/**
 * `npm run admin -- <command> [--json]` [API 16]: by the running server, or here when none runs.
 */
async function main() {
  const argv = process.argv.slice(2)
  const json = argv.includes('--json')
  const asked: Order = {
    argv: argv.filter((word) => word !== '--json'),
    operator: userInfo().username,
  }
  const config = readConfig(process.env)
  const outcome = (await askServer(config.dataDir, asked)) ?? (await runAlone(config, asked))
  print(outcome, json)
  return outcome.code
}

function print({ code, lines, data }: Outcome, json: boolean) {
  const text = json
    ? JSON.stringify({
        ok: code === 0,
        ...(code !== 0 && { message: lines.join('\n') }),
        data: data ?? null,
      })
    : lines.join('\n')
  const out = code === 0 || json ? process.stdout : process.stderr
  out.write(`${text}\n`)
}

try {
  process.exitCode = await main()
} catch (error) {
  if (error instanceof FolderInUse)
    fail(1, `DATA_DIR ${error.message} is in use by another process that takes no commands`)
  else if (error instanceof Behind) fail(1, error.message)
  else if (error instanceof ConfigError) fail(2, error.message)
  else throw error
}

function fail(code: number, line: string) {
  process.stderr.write(`${line}\n`)
  process.exitCode = code
}
