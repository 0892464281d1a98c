import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { live, type Plan, STEPS } from '../model/run.ts'
import { prove, shrunk } from './cores.ts'
import { classOf, commandOf } from './shrink.ts'

/**
 * `npm run prove -- 100000 [--seed-from N] [--plain]` runs lives on all cores and reports each way
 * to fail once, shrunk. `--seed N` (`--steps`, `--only`, `--without`, `--calls`) replays one.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    'seed-from': { type: 'string', default: '1' },
    plain: { type: 'boolean', default: false },
    seed: { type: 'string' },
    steps: { type: 'string', default: String(STEPS) },
    only: { type: 'string' },
    without: { type: 'string', default: '' },
    calls: { type: 'boolean', default: false },
  },
})
/** Ways to fail that are shrunk; the others are only counted. */
const MOST_STORIES = 12
const PROGRESS_MS = 20_000

function named(list: string): string[] {
  return list.split(',').filter((one) => one !== '')
}

async function tell(plan: Plan): Promise<void> {
  const warn = console.warn
  console.warn = () => undefined
  const { log, wrongs } = await live(plan)
  console.warn = warn
  console.log([...log, '', ...(wrongs.length === 0 ? ['Nothing went wrong.'] : wrongs)].join('\n'))
  if (wrongs.length > 0) process.exitCode = 1
}

async function many(lives: number, from: number): Promise<void> {
  let reportedAt = performance.now()
  const progress = (line: string): void => {
    if (performance.now() - reportedAt < PROGRESS_MS) return
    reportedAt = performance.now()
    console.log(line)
  }
  const cores = availableParallelism()
  const whole = await prove({ from, lives, plain: values.plain, cores, progress })
  console.log(
    `${whole.line}\nqueued: ${figures(whole.queued)}\nhappened: ${figures(whole.happened)}`,
  )
  const ways = [...Map.groupBy(whole.failed, ({ wrong }) => classOf(wrong))].toSorted(
    ([, a], [, b]) => b.length - a.length,
  )
  for (const [way, failed] of ways)
    console.log(
      `\n${failed.length} lives: ${way}\n  seeds ${failed
        .slice(0, 8)
        .map(({ seed }) => seed)
        .join(', ')}`,
    )
  const first = ways
    .slice(0, MOST_STORIES)
    .flatMap(([, [one]]) =>
      one ? [{ plan: { seed: one.seed, keys: !values.plain }, wrong: one.wrong }] : [],
    )
  for (const plan of await shrunk(first, values.plain, cores)) {
    console.log(`\n${commandOf(plan)}`)
    await tell(plan)
  }
  if (whole.failed.length > 0) process.exitCode = 1
}

function figures(counts: ReadonlyMap<string, number>): string {
  return [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .map(([name, times]) => `${name} ${times}`)
    .join(', ')
}

if (values.seed === undefined)
  await many(Number(positionals[0] ?? 1000), Number(values['seed-from']))
else
  await tell({
    seed: Number(values.seed),
    keys: !values.plain,
    steps: Number(values.steps),
    ...(values.only !== undefined && { only: named(values.only).map(Number) }),
    without: named(values.without),
    calls: values.calls,
  })
