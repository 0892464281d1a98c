import { kinds, live, type Plan, STEPS } from '../model/run.ts'

/** Lives that one shrinking may take. */
const MOST_TRIES = 400

/** What went wrong, without what differs from life to life: numbers and quoted words. */
export function classOf(wrong: string): string {
  return wrong.replace(/"[^"]*"/g, '"…"').replace(/\d+/g, '#').slice(0, 120)
}

/**
 * A shorter life that goes wrong in the same way: fewer steps at its end, then without whole kinds of what happens, then
 * without single steps. Each step has a chance of its own, so that leaving one out changes no other's beginning.
 */
export async function shrink(plan: Plan, wrong: string): Promise<Plan> {
  const meant = classOf(wrong)
  let best: Plan = { steps: STEPS, skip: [], without: [], ...plan }
  let tries = 0
  const better = async (next: Plan): Promise<boolean> => {
    if (++tries > MOST_TRIES) return false
    const [first] = (await live(next)).wrongs
    if (first === undefined || classOf(first) !== meant) return false
    best = next
    return true
  }
  for (let cut = STEPS / 2; cut >= 1; cut = Math.floor(cut / 2)) while ((best.steps ?? STEPS) > cut && (await better({ ...best, steps: (best.steps ?? STEPS) - cut })));
  for (const kind of kinds) await better({ ...best, without: [...(best.without ?? []), kind] })
  for (let size = 8; size >= 1; size /= 2) {
    for (let from = best.steps ?? STEPS; from > 0; from -= size) {
      const fresh = Array.from({ length: size }, (_, n) => from - 1 - n).filter((step) => step >= 0 && best.skip?.includes(step) !== true)
      if (fresh.length > 0) await better({ ...best, skip: [...(best.skip ?? []), ...fresh] })
    }
  }
  return { ...best, without: (best.without ?? []).filter((kind) => kinds.includes(kind)), skip: (best.skip ?? []).toSorted((a, b) => a - b) }
}

/** The command that plays exactly this life again. */
export function commandOf({ seed, keys, steps, skip = [], without = [] }: Plan): string {
  const parts = [`--seed ${seed}`, keys === false ? '--plain' : '', steps === undefined || steps === STEPS ? '' : `--steps ${steps}`, skip.length > 0 ? `--skip ${skip.join()}` : '', without.length > 0 ? `--without '${without.join()}'` : '']
  return `npm run prove -- ${parts.filter((part) => part !== '').join(' ')}`
}
