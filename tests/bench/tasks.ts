import type { Page } from '@playwright/test'
import * as v from 'valibot'

/** One event of Chromium's trace; times in µs, `tdur` is CPU time. */
const traced = v.object({
  name: v.string(),
  pid: v.number(),
  tid: v.number(),
  tdur: v.optional(v.number(), 0),
  args: v.optional(v.object({ name: v.optional(v.string(), '') }), {}),
})
type Traced = v.InferOutput<typeof traced>

/**
 * The page's longest main-thread task during `work`, in ms of CPU time, since a task also waits on
 * a busy machine. Not for a slowed page: there Chromium counts wall-clock time.
 */
export async function longestTask(page: Page, work: () => Promise<void>): Promise<number> {
  const session = await page.context().newCDPSession(page)
  const events: Traced[] = []
  session.on('Tracing.dataCollected', ({ value }) => {
    for (const one of value) {
      const read = v.safeParse(traced, one)
      if (read.success) events.push(read.output)
    }
  })
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['disabled-by-default-devtools.timeline'] },
  })
  await work()
  const done = new Promise<void>((resolve) =>
    session.once('Tracing.tracingComplete', () => resolve()),
  )
  await session.send('Tracing.end')
  await done
  await session.detach()
  const mains = events.filter(
    ({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain',
  )
  const tasks = events.filter(
    ({ name, pid, tid }) =>
      name === 'RunTask' && mains.some((main) => main.pid === pid && main.tid === tid),
  )
  if (tasks.length === 0) throw new Error('the trace holds no task')
  return Math.max(...tasks.map(({ tdur }) => tdur)) / 1000
}
