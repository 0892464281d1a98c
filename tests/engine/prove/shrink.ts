import { faults, kinds, live, type Plan, STEPS } from '../model/run.ts'

const MOST_TRIES = 400

/** The failure without what differs from life to life: numbers and quoted text. */
export function classOf(wrong: string): string {
  return wrong
    .replace(/"[^"]*"/g, '"…"')
    .replace(/\d+/g, '#')
    .slice(0, 120)
}

/**
 * Finds a shorter life with the same failure: fewer steps at the end, then without whole kinds,
 * then without single steps. Each step has its own seed, so removing one changes no other.
 */
export async function shrink(plan: Plan, wrong: string): Promise<Plan> {
  const meant = classOf(wrong)
  let best = {
    ...plan,
    steps: STEPS,
    only: Array.from({ length: STEPS }, (_, step) => step),
    without: [] as readonly string[],
  }
  let tries = 0
  const better = async (change: Partial<typeof best>): Promise<boolean> => {
    if (++tries > MOST_TRIES) return false
    const next = { ...best, ...change }
    const [first] = (await live(next)).wrongs
    if (first === undefined || classOf(first) !== meant) return false
    best = next
    return true
  }
  for (let cut = STEPS / 2; cut >= 1; cut = Math.floor(cut / 2))
    while (
      best.steps > cut &&
      (await better({
        steps: best.steps - cut,
        only: best.only.filter((step) => step < best.steps - cut),
      }))
    );
  // Whole kinds first: fewer steps remain to be tried one by one.
  for (const kind of kinds) await better({ without: [...best.without, kind] })
  for (let size = 8; size >= 1; size /= 2) {
    for (let from = best.only.length; from > 0; from -= size)
      await better({ only: best.only.filter((_, place) => place < from - size || place >= from) })
  }
  await better({ without: best.without.filter((kind) => faults.includes(kind)) })
  for (const kind of best.without)
    await better({ without: best.without.filter((one) => one !== kind) })
  return best
}

/** The command that replays exactly this life. */
export function commandOf({ seed, keys, steps, only, without = [] }: Plan): string {
  const parts = [
    `--seed ${seed}`,
    keys === false ? '--plain' : '',
    steps === undefined || steps === STEPS ? '' : `--steps ${steps}`,
    only ? `--only ${only.join()}` : '',
    without.length > 0 ? `--without '${without.join()}'` : '',
  ]
  return `npm run prove -- ${parts.filter((part) => part !== '').join(' ')}`
}
