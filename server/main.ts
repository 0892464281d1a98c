import { APP_NAME } from '#schema/app'
import { ConfigError, readConfig } from './config.ts'
import { FolderInUse } from './db/lock.ts'
import { openLog } from './log.ts'
import { start } from './start.ts'

const USAGE = 78
const TEMPORARY = 75
const FAULT = 70
const STOP_MS = 10_000

try {
  const config = readConfig(process.env)
  const log = openLog(config.logLevel)
  // the state is unknown: the supervisor starts a new process (docs/running.md)
  process.on('uncaughtException', (error, origin) => {
    log.fatal({ err: error, origin }, 'unexpected error, the process ends')
    process.exit(FAULT)
  })
  const running = await start(config, log)
  let stopping = false
  const stop = () => {
    if (stopping) return
    stopping = true
    setTimeout(() => process.exit(1), STOP_MS).unref()
    running.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'stopping failed')
        process.exit(1)
      },
    )
  }
  // Not `once`: npm forwards the Ctrl-C that the terminal already sent.
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  const { name, contact } = config.operator
  const missing = [name === null && 'OPERATOR_NAME', contact === null && 'OPERATOR_CONTACT']
  const unset = missing.filter((one) => one !== false).join(' and ')
  if (unset !== '')
    log.warn(`${unset} not set: the terms of use and the help do not say who runs this market`)
  process.stdout.write(`${APP_NAME} is ready on ${running.address}\n`)
} catch (error) {
  if (error instanceof ConfigError) end(USAGE, error.message)
  if (error instanceof FolderInUse)
    end(TEMPORARY, `DATA_DIR ${error.message} is in use by another process`)
  throw error
}

function end(code: number, line: string): never {
  process.stderr.write(`${line}\n`)
  process.exit(code)
}
