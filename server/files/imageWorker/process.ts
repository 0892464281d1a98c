import { readdirSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { constants, setPriority } from 'node:os'
import * as v from 'valibot'
import { avifOf, prepareAvatar, preparePicture } from './render.ts'
import { order, type Order, type Reply } from './job.ts'

/**
 * One task at a time, at the lowest priority. A photo above these limits ends the process: nothing
 * else stops a decoder.
 */
const CPU_MS_MAX = 10_000
const MEMORY_MAX = 1024 ** 3
const LOOK_MS = 100

stepBack()
process.on('disconnect', () => process.exit())
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined)

process.on('message', (asked) => {
  const began = process.cpuUsage()
  const watch = setInterval(() => {
    const { user, system } = process.cpuUsage(began)
    if ((user + system) / 1000 < CPU_MS_MAX && process.memoryUsage.rss() < MEMORY_MAX) return
    clearInterval(watch)
    reply({ kind: 'done', done: { code: 'image_unreadable' } }, () => process.exit())
  }, LOOK_MS)
  fulfil(v.parse(order, asked))
    .then(
      (done) => reply({ kind: 'done', done }),
      (error: unknown) =>
        reply({
          kind: 'failed',
          reason: error instanceof Error ? (error.stack ?? error.message) : 'unknown',
        }),
    )
    .finally(() => clearInterval(watch))
})

reply({ kind: 'ready' })

async function fulfil(asked: Order): Promise<unknown> {
  if (asked.kind === 'avif') return avifOf(asked.source, asked.width)
  const sent = await readFile(asked.path)
  return asked.kind === 'photo' ? preparePicture(sent) : prepareAvatar(sent)
}

function reply(message: Reply, then: () => void = () => undefined) {
  process.send?.(message, undefined, undefined, then)
}

/**
 * First to be killed when memory runs out. Linux has a priority per thread: later ones inherit it.
 */
function stepBack() {
  setPriority(constants.priority.PRIORITY_LOW)
  if (process.platform !== 'linux') return
  writeFileSync('/proc/self/oom_score_adj', '1000')
  for (const thread of readdirSync('/proc/self/task')) {
    try {
      setPriority(Number(thread), constants.priority.PRIORITY_LOW)
    } catch {
      // the thread has ended meanwhile
    }
  }
}
