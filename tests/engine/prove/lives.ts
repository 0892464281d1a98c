import { parentPort, workerData } from 'node:worker_threads'
import { live } from '../model/run.ts'
import { shrink } from './shrink.ts'
import type { FromWorker, ToWorker } from './messages.ts'

/** One worker of `prove`: runs the lives of given seeds, and shrinks failing ones. */

// The engine warns about errors that it survives; 100,000 lives log a million of them.
console.warn = () => undefined
// A full disk throws a thousand times a life, and nobody reads the stack traces.
Error.stackTraceLimit = 3
const keys = workerData !== 'plain'

parentPort?.on(
  'message',
  (task: ToWorker) => void work(task).then((reply) => parentPort?.postMessage(reply)),
)

async function work(task: ToWorker): Promise<FromWorker> {
  if (task.kind === 'shrink') return { kind: 'shrunk', plan: await shrink(task.plan, task.wrong) }
  const [queued, happened] = [new Map<string, number>(), new Map<string, number>()]
  const failed: { seed: number; wrong: string }[] = []
  let sent = 0
  const before = process.threadCpuUsage()
  for (let seed = task.from; seed < task.to; seed++) {
    const life = await live({ seed, keys }).catch((error: unknown) => ({
      wrongs: [`threw ${String(error instanceof Error ? error.stack : error)}`],
      sent: 0,
      queued: new Map<string, number>(),
      happened: new Map<string, number>(),
    }))
    sent += life.sent
    add(queued, life.queued)
    add(happened, life.happened)
    const [wrong] = life.wrongs
    if (wrong !== undefined) failed.push({ seed, wrong })
  }
  const { user, system } = process.threadCpuUsage(before)
  return {
    kind: 'lived',
    cpuMs: (user + system) / 1000,
    lives: task.to - task.from,
    sent,
    queued,
    happened,
    failed,
  }
}

function add(to: Map<string, number>, more: ReadonlyMap<string, number>): void {
  for (const [name, times] of more) to.set(name, (to.get(name) ?? 0) + times)
}
