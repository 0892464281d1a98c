import { execFileSync } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { discard } from './folder.ts'
import { freePort } from './product.ts'

/** The folder of PostgreSQL's programs: the system's newest, or one installed now by apt-get. */
export function programs(): string {
  const find = (): string | undefined =>
    globSync('/usr/lib/postgresql/*/bin')
      .filter((bin) => existsSync(join(bin, 'initdb')))
      .toSorted()
      .at(-1)
  const found = find()
  if (found !== undefined) return found
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    execFileSync('apt-get', ['update', '-q'], { stdio: ['ignore', 'ignore', 'inherit'], env })
    execFileSync('apt-get', ['install', '-y', '-q', '--no-install-recommends', 'postgresql'], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env,
    })
    const installed = find()
    if (installed !== undefined) return installed
  }
  throw new Error(
    'No PostgreSQL server found. Install one (Debian, Ubuntu: sudo apt-get install postgresql).',
  )
}

/** A private PostgreSQL that can be stopped and started again. */
export interface PostgresServer {
  start(): void
  stop(mode: 'fast' | 'immediate'): void
  /** Signals all its processes: SIGKILL ends it, SIGSTOP and SIGCONT freeze and resume it. */
  signal(signal: NodeJS.Signals): Promise<void>
}

/** Runs `use` with a private PostgreSQL on a free port, and deletes it afterwards. */
export async function withPostgres<T>(
  use: (databaseUrl: string, server: PostgresServer) => Promise<T>,
): Promise<T> {
  const bin = programs()
  const folder = mkdtempSync(join(tmpdir(), 'postgres-'))
  const port = await freePort()
  // PostgreSQL refuses to run as root, so it runs as its own user.
  const root = userInfo().uid === 0
  if (root) execFileSync('chown', ['postgres', folder])
  const run = (program: string, ...args: readonly string[]): void => {
    const [command, all] = root
      ? [
          'setpriv',
          [
            '--reuid',
            'postgres',
            '--regid',
            'postgres',
            '--clear-groups',
            join(bin, program),
            ...args,
          ],
        ]
      : [join(bin, program), [...args]]
    execFileSync(command, all, { stdio: ['ignore', 'ignore', 'inherit'], cwd: folder })
  }
  run(
    'initdb',
    '-D',
    `${folder}/data`,
    '-A',
    'trust',
    '-U',
    'app',
    '-E',
    'UTF8',
    '--locale=C.UTF-8',
  )
  const settings =
    `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${folder} ` +
    '-c shared_buffers=1GB -c max_connections=60'
  const server: PostgresServer = {
    start: () =>
      run('pg_ctl', '-D', `${folder}/data`, '-w', '-l', `${folder}/log`, '-o', settings, 'start'),
    stop: (mode) => run('pg_ctl', '-D', `${folder}/data`, '-m', mode, '-w', 'stop'),
    async signal(name) {
      const main = Number(readFileSync(`${folder}/data/postmaster.pid`, 'utf8').split('\n')[0])
      // The main process first, so that it starts no new ones.
      const all = [
        main,
        ...readFileSync(`/proc/${main}/task/${main}/children`, 'utf8')
          .split(' ')
          .filter(Boolean)
          .map(Number),
      ]
      for (const pid of all) send(pid, name)
      // It must be gone before another may use its folder.
      while (name === 'SIGKILL' && all.some(isRunning)) await pause(20)
    },
  }
  server.start()
  try {
    run('createdb', '-h', '127.0.0.1', '-p', String(port), '-U', 'app', 'app')
    return await use(`postgres://app@127.0.0.1:${port}/app`, server)
  } finally {
    server.stop('immediate')
    discard(folder)
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    // It ended by itself meanwhile.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

/** False for a zombie, which has ended but was not reaped. */
function isRunning(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}
