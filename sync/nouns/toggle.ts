import type { CommandRule, QueuedCommand, Tools } from '../noun.ts'

/** Desired end states [SYNC 5]: the opposite cancels a waiting one. */
export function opposite(wanted: boolean, earlier: boolean) {
  return wanted === earlier ? 'same' : 'cancel'
}

export function toggle<P>(
  wanted: (payload: P) => boolean,
  show: (queued: QueuedCommand<P>, on: boolean, tools: Tools) => Promise<void>,
): Required<Pick<CommandRule<P, unknown>, 'collapse' | 'apply' | 'revert'>> {
  return {
    collapse: (payload, earlier) => opposite(wanted(payload), wanted(earlier)),
    apply: (queued, tools) => show(queued, wanted(queued.payload), tools),
    revert: (queued, _problem, tools) => show(queued, !wanted(queued.payload), tools),
  }
}
