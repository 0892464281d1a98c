import {
  accessSync,
  constants,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmdirSync,
  writeFileSync,
} from 'node:fs'

/** Linux control groups, version 1: CPU limits of threads. */
const GROUPS = '/sys/fs/cgroup/cpu'
const PERIOD_US = 10_000
/** A worker runs at full speed for at most this long. */
const LOOK_MS = 5
/** Thread names, as truncated by the kernel. */
const WORKER = /^(?:DedicatedWorker|ServiceWorker t)/

/**
 * Chromium's own switch slows only the main thread. This limits each worker thread of every open
 * Chromium to 1/n of a core, until the result is called; null: not possible on this system.
 */
export function slowWorkers(times: number): (() => void) | null {
  try {
    accessSync(`${GROUPS}/cpu.cfs_quota_us`, constants.R_OK)
    mkdirSync(`${GROUPS}/yaar-bench`)
    rmdirSync(`${GROUPS}/yaar-bench`)
  } catch {
    return null
  }
  const others = new Set<string>()
  const slowed = new Set<string>()
  const seen = new Set<string>()
  const timer = setInterval(() => {
    for (const process of numbered('/proc')) {
      if (others.has(process)) continue
      const commandLine = read(`/proc/${process}/cmdline`)
      if (!commandLine.includes('--type=renderer')) {
        // A renderer is a zygote first.
        if (commandLine !== '' && !commandLine.includes('--type=zygote')) others.add(process)
        continue
      }
      for (const thread of numbered(`/proc/${process}/task`)) {
        // A thread gets its name just after it starts.
        if (
          slowed.has(thread) ||
          (seen.has(thread) && !WORKER.test(read(`/proc/${process}/task/${thread}/comm`)))
        )
          continue
        seen.add(thread)
        if (WORKER.test(read(`/proc/${process}/task/${thread}/comm`)) && slow(thread, times))
          slowed.add(thread)
      }
    }
  }, LOOK_MS)
  return () => {
    clearInterval(timer)
    for (const thread of slowed) quietly(() => rmdirSync(`${GROUPS}/yaar-bench-${thread}`))
  }
}

function slow(thread: string, times: number): boolean {
  return quietly(() => {
    const group = `${GROUPS}/yaar-bench-${thread}`
    mkdirSync(group)
    writeFileSync(`${group}/cpu.cfs_period_us`, String(PERIOD_US))
    writeFileSync(
      `${group}/cpu.cfs_quota_us`,
      String(Math.max(1000, Math.round(PERIOD_US / times))),
    )
    writeFileSync(`${group}/tasks`, thread)
  })
}

function numbered(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => /^\d+$/.test(name))
  } catch {
    return []
  }
}

/** Empty if the process has just ended. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    return ''
  }
}

function quietly(work: () => void): boolean {
  try {
    work()
    return true
  } catch {
    return false
  }
}
