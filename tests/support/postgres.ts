import { execFileSync } from 'node:child_process'
import { existsSync, globSync, mkdtempSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { discard } from './folder.ts'
import { freePort } from './product.ts'

/** The folder of PostgreSQL's programs: the system's newest, else one installed now by apt-get. */
export function programs(): string {
  const find = (): string | undefined => globSync('/usr/lib/postgresql/*/bin').filter((bin) => existsSync(join(bin, 'initdb'))).toSorted().at(-1)
  const found = find()
  if (found !== undefined) return found
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    execFileSync('apt-get', ['update', '-q'], { stdio: ['ignore', 'ignore', 'inherit'], env })
    execFileSync('apt-get', ['install', '-y', '-q', '--no-install-recommends', 'postgresql'], { stdio: ['ignore', 'ignore', 'inherit'], env })
    const installed = find()
    if (installed !== undefined) return installed
  }
  throw new Error('No PostgreSQL server found. Install one (Debian, Ubuntu: sudo apt-get install postgresql).')
}

/** A private PostgreSQL on a free port of this machine, for as long as `use` runs; nothing of it stays. */
export async function withPostgres<T>(use: (databaseUrl: string) => Promise<T>): Promise<T> {
  const bin = programs()
  const folder = mkdtempSync(join(tmpdir(), 'postgres-'))
  const port = await freePort()
  // PostgreSQL refuses to run as root: there it runs as its own user.
  const root = userInfo().uid === 0
  if (root) execFileSync('chown', ['postgres', folder])
  const run = (program: string, ...args: readonly string[]): void => {
    const [command, all] = root ? ['setpriv', ['--reuid', 'postgres', '--regid', 'postgres', '--clear-groups', join(bin, program), ...args]] : [join(bin, program), [...args]]
    execFileSync(command, all, { stdio: ['ignore', 'ignore', 'inherit'], cwd: folder })
  }
  run('initdb', '-D', `${folder}/data`, '-A', 'trust', '-U', 'app', '-E', 'UTF8', '--locale=C.UTF-8')
  const settings = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${folder} -c shared_buffers=1GB -c max_connections=60`
  run('pg_ctl', '-D', `${folder}/data`, '-w', '-l', `${folder}/log`, '-o', settings, 'start')
  try {
    run('createdb', '-h', '127.0.0.1', '-p', String(port), '-U', 'app', 'app')
    return await use(`postgres://app@127.0.0.1:${port}/app`)
  } finally {
    run('pg_ctl', '-D', `${folder}/data`, '-m', 'immediate', '-w', 'stop')
    discard(folder)
  }
}
