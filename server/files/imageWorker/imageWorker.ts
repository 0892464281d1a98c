import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import * as v from 'valibot'
import { bytes, developed, reply, type Developed, type Order, type Reply } from './job.ts'

export type ImageWorker = ReturnType<typeof openImageWorker>

/** What can be answered within the deadline of a request [API 1.1]. */
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
  /** If it ends before, the photo is not the cause. */
  ready: boolean
}

/** A later try may succeed. */
export class Overloaded extends Error {}

class Fatal extends Error {}

/**
 * A low-priority process, one photo at a time, requests first (docs/decisions/070). All reject when
 * `signal` aborts, and with `Overloaded` when too many wait.
 */
export function openImageWorker(log: Logger, program = PROGRAM) {
  const [urgent, later]: [Task[], Task[]] = [[], []]
  let worker: Worker | null = null
  let current: Task | null = null
  let closed = false

  function order(queue: Task[], wanted: Order, signal: AbortSignal): Promise<unknown> {
    signal.throwIfAborted()
    if (closed || queue.length >= WAITING_MAX) throw new Overloaded()
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    const task = { order: wanted, tries: 0, settle: resolve, fail: reject }
    const abort = () => giveUp(task, signal.reason)
    signal.addEventListener('abort', abort)
    queue.push(task)
    next()
    return promise.finally(() => signal.removeEventListener('abort', abort))
  }

  function next() {
    if (current !== null) return
    current = urgent.shift() ?? later.shift() ?? null
    if (current === null) return
    current.tries += 1
    worker ??= startWorker()
    // a process that has ended is handled by its exit event
    worker.child.send(current.order, () => undefined)
  }

  function startWorker(): Worker {
    const { PATH, SystemRoot } = process.env
    // no secrets: it reads untrusted files
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
    const started = { child, ready: false }
    child.on('message', (message) => {
      const read = v.safeParse(reply, message)
      if (!read.success) child.kill('SIGKILL')
      else if (worker === started) receive(started, read.output)
    })
    child.once('exit', (code, signal) => onExit(started, code ?? signal))
    child.on('error', (error) => onExit(started, error.message))
    return started
  }

  function receive(from: Worker, message: Reply) {
    if (message.kind === 'ready') {
      from.ready = true
      return
    }
    const task = current
    current = null
    if (message.kind === 'failed') task?.fail(new Error(message.reason))
    else task?.settle(message.done)
    next()
  }

  /** One retry in a new process: the photo may not be the cause. */
  function onExit(lost: Worker, why: string | number | null) {
    if (worker !== lost) return
    worker = null
    const task = current
    current = null
    if (task !== null) {
      log.warn({ why, ready: lost.ready }, 'imageWorker ended')
      if (!lost.ready) task.fail(new Overloaded())
      else if (task.tries < TRIES) urgent.unshift(task)
      else task.fail(new Fatal('imageWorker ended'))
    }
    next()
  }

  /** Only the end of the process stops a decoder. */
  function giveUp(task: Task, reason: unknown) {
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
    /** [API 5.4]; a photo that crashes the process twice is `image_unreadable`. */
    photo: (path: string, signal: AbortSignal) => picture({ kind: 'photo', path }, signal),
    avatar: (path: string, signal: AbortSignal) => picture({ kind: 'avatar', path }, signal),
    async avif(source: Uint8Array, width: number, signal: AbortSignal): Promise<Uint8Array | null> {
      try {
        const made = await order(later, { kind: 'avif', source, width }, signal)
        return v.is(bytes, made) ? made : null
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
        task.fail(new Overloaded())
      current = null
      if (last === null || last.child.exitCode !== null || last.child.signalCode !== null) return
      const ended = once(last.child, 'exit')
      last.child.kill('SIGKILL')
      await ended
    },
  }
}
