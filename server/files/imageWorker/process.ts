import { readdirSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { constants, setPriority } from 'node:os'
import * as v from 'valibot'
import { avifOf, prepareAvatar, preparePicture } from './render.ts'
import { order, type Order, type Word } from './job.ts'

/**
 * The imageWorker's own process: one order at a time, behind everything else on the machine. It holds no secret and no connection,
 * and ends with the server. A photo that wants too much is refused, and the process with it, since nothing stops its decoder.
 */
const CPU_MS_MAX = 10_000
const MEMORY_MAX = 1024 ** 3
const LOOK_MS = 100

stepBack()
process.on('disconnect', () => process.exit())
// Ctrl-C reaches every process of the terminal; the server says when this one ends
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined)

process.on('message', (asked) => {
  const began = process.cpuUsage()
  const watch = setInterval(() => {
    const { user, system } = process.cpuUsage(began)
    if ((user + system) / 1000 < CPU_MS_MAX && process.memoryUsage.rss() < MEMORY_MAX) return
    clearInterval(watch)
    say({ kind: 'done', done: { code: 'image_unreadable' } }, () => process.exit())
  }, LOOK_MS)
  fulfil(v.parse(order, asked))
    .then(
      (done) => say({ kind: 'done', done }),
      (error: unknown) =>
        say({
          kind: 'failed',
          reason: error instanceof Error ? (error.stack ?? error.message) : 'unknown',
        }),
    )
    .finally(() => clearInterval(watch))
})

say({ kind: 'ready' })

async function fulfil(asked: Order): Promise<unknown> {
  if (asked.kind === 'avif') return avifOf(asked.source, asked.width)
  const sent = await readFile(asked.path)
  return asked.kind === 'photo' ? preparePicture(sent) : prepareAvatar(sent)
}

function say(word: Word, then: () => void = () => undefined): void {
  process.send?.(word, undefined, undefined, then)
}

/**
 * Lowest priority, and the first to go when the machine has no memory left. Linux keeps a priority for each thread, and some
 * run already; later ones take that of the thread that starts them.
 */
function stepBack(): void {
  setPriority(constants.priority.PRIORITY_LOW)
  if (process.platform !== 'linux') return
  writeFileSync('/proc/self/oom_score_adj', '1000')
  for (const thread of readdirSync('/proc/self/task')) {
    try {
      setPriority(Number(thread), constants.priority.PRIORITY_LOW)
    } catch {
      // it has ended meanwhile
    }
  }
}
