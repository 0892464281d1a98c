import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** The first existing path, if necessary after `apt-get install`; null: none exists. */
export function found(paths: readonly string[], debianPackage: string): string | null {
  const here = (): string | null => paths.find((path) => existsSync(path)) ?? null
  if (here() !== null || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return here()
  try {
    aptInstall(debianPackage)
  } catch (error) {
    console.warn(`${debianPackage} cannot be installed: ${String(error)}`)
  }
  return here()
}

export function aptInstall(...packages: readonly string[]): void {
  const apt = (...args: readonly string[]): void => {
    execFileSync('apt-get', args, {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    })
  }
  apt('update', '-q')
  apt('install', '-y', '-q', '--no-install-recommends', ...packages)
}
