import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import * as v from 'valibot'
import { refuse } from '../../http/refusal.ts'
import { bytes, developed, word, type Developed, type Order, type Word } from './job.ts'

/**
 * Where photos are judged and turned into their variants: a process of its own, behind everything else, one photo at a time
 * (docs/decisions/070). Requests go before variants that may come later. All reject when `signal` is aborted, and with
 * `service_unavailable` when too many wait.
 */
export interface ImageWorker {
  /** Judges the photo in a file by [API 5.4] and makes the variants of 6.3; one that ends its process twice is `image_unreadable`. */
  photo(path: string, signal: AbortSignal): Promise<Developed>
  /** The same as the squares of an avatar [API 4.1]. */
  avatar(path: string, signal: AbortSignal): Promise<Developed>
  /** A kept variant once more, as AVIF of that width; null when that cannot be. */
  avif(source: Uint8Array, width: number, signal: AbortSignal): Promise<Uint8Array | null>
  /** How many orders wait or are under way. */
  size(): number
  /** Ends the process; whoever still waits is refused. */
  close(): Promise<void>
}

/** As many as can be answered within the deadline of a request [API 1.1]. */
const WAITING_MAX = 50
const TRIES = 2
const PROGRAM = fileURLToPath(new URL('process.ts', import.meta.url))

interface Task {
  readonly order: Order
  tries: number
  settle(done: unknown): void
  fail(error: unknown): void
}

interface Worker {
  readonly child: ChildProcess
  /** It has said that it can work; if it ends before, no photo is to blame. */
  ready: boolean
}

/** The process ended over an order as often as it was tried. */
class Fatal extends Error {}

/** Opens nothing yet: the process starts with the first order. `program` is what it runs. */
export function openImageWorker(log: Logger, program = PROGRAM): ImageWorker {
  const [urgent, later]: [Task[], Task[]] = [[], []]
  let worker: Worker | null = null
  let current: Task | null = null
  let closed = false

  function order(queue: Task[], wanted: Order, signal: AbortSignal): Promise<unknown> {
    signal.throwIfAborted()
    if (closed || queue.length >= WAITING_MAX) throw refuse('service_unavailable')
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    const task = { order: wanted, tries: 0, settle: resolve, fail: reject }
    const abort = () => giveUp(task, signal.reason)
    signal.addEventListener('abort', abort)
    queue.push(task)
    next()
    return promise.finally(() => signal.removeEventListener('abort', abort))
  }

  function next(): void {
    if (current !== null) return
    current = urgent.shift() ?? later.shift() ?? null
    if (current === null) return
    current.tries += 1
    worker ??= hire()
    // a process that cannot be told has ended, which is heard by itself
    worker.child.send(current.order, () => undefined)
  }

  function hire(): Worker {
    const { PATH, SystemRoot } = process.env
    // it has none of the server's secrets, since it reads strangers' files
    const env = {
      ...(PATH !== undefined && { PATH }),
      ...(SystemRoot !== undefined && { SystemRoot }),
      MALLOC_ARENA_MAX: '2',
    }
    const child = fork(program, {
      env,
      execArgv: ['--max-old-space-size=256'],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    const hired = { child, ready: false }
    child.on('message', (said) => {
      const read = v.safeParse(word, said)
      if (!read.success) child.kill('SIGKILL')
      else if (worker === hired) hear(hired, read.output)
    })
    child.once('exit', (code, signal) => lose(hired, code ?? signal))
    child.on('error', (error) => lose(hired, error.message))
    return hired
  }

  function hear(from: Worker, said: Word): void {
    if (said.kind === 'ready') {
      from.ready = true
      return
    }
    const task = current
    current = null
    if (said.kind === 'failed') task?.fail(new Error(said.reason))
    else task?.settle(said.done)
    next()
  }

  /** The process is gone: its order is tried once more in another one, in case it was not to blame. */
  function lose(lost: Worker, why: string | number | null): void {
    if (worker !== lost) return
    worker = null
    const task = current
    current = null
    if (task !== null) {
      log.warn({ why, ready: lost.ready }, 'imageWorker ended')
      if (!lost.ready) task.fail(refuse('service_unavailable'))
      else if (task.tries < TRIES) urgent.unshift(task)
      else task.fail(new Fatal('imageWorker ended'))
    }
    next()
  }

  /** Nothing stops a decoder but the end of its process. */
  function giveUp(task: Task, reason: unknown): void {
    task.fail(reason)
    for (const queue of [urgent, later])
      if (queue.includes(task)) queue.splice(queue.indexOf(task), 1)
    if (task !== current) return
    const stuck = worker
    current = worker = null
    stuck?.child.kill('SIGKILL')
    next()
  }

  async function picture(wanted: Order, signal: AbortSignal): Promise<Developed> {
    try {
      return v.parse(developed, await order(urgent, wanted, signal))
    } catch (error) {
      if (error instanceof Fatal) return { code: 'image_unreadable' }
      throw error
    }
  }

  return {
    photo: (path, signal) => picture({ kind: 'photo', path }, signal),
    avatar: (path, signal) => picture({ kind: 'avatar', path }, signal),
    async avif(source, width, signal) {
      try {
        return v.parse(bytes, await order(later, { kind: 'avif', source, width }, signal))
      } catch (error) {
        if (error instanceof Fatal) return null
        throw error
      }
    },
    size: () => urgent.length + later.length + (current === null ? 0 : 1),
    async close() {
      closed = true
      const last = worker
      worker = null
      for (const task of [
        ...urgent.splice(0),
        ...later.splice(0),
        ...(current === null ? [] : [current]),
      ])
        task.fail(refuse('service_unavailable'))
      current = null
      if (last === null || last.child.exitCode !== null || last.child.signalCode !== null) return
      const ended = once(last.child, 'exit')
      last.child.kill('SIGKILL')
      await ended
    },
  }
}
