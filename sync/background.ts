import type { CommandRules } from './noun.ts'
import { exchange } from './network/http.ts'
import type { Meter } from './network/meter.ts'
import type { OutboxState } from './outbox/state.ts'
import { isUnsent } from '#schema/disk/entry'
import { createDelivering } from './outbox/deliver.ts'
import { endNetworkWaits, takeFence } from './outbox/transitions.ts'
import type { Table } from './outbox/table.ts'
import type { Outside } from './outside.ts'

/** Longer than the interval of a leader's beats. */
const LISTEN_MS = 10_000

/** Step 3 of [SYNC 5] without a running tab. Resolves with whether entries still wait. */
export async function deliverInBackground(
  outside: Outside,
  table: Table,
  rules: CommandRules,
  photo: (id: string) => Promise<unknown>,
  meter: Meter,
) {
  const deliver = async (owner: string, lost: AbortSignal) => {
    // The browser calls when there is a network.
    const fence = await table.change((state) => {
      const taken = takeFence(state, owner)
      return { ...taken, state: endNetworkWaits(taken.state, owner) }
    })
    let failed = false
    const channel = outside.channel('outbox', () => undefined)
    const delivering = createDelivering(
      {
        outside,
        table: {
          async change(work) {
            const result = await table.change(work)
            channel.post({ kind: 'changed' })
            return result
          },
        },
        rules,
        known: () => null,
        async send(request) {
          const callbacks = { begin: () => () => undefined, bytes: meter.add }
          const reply = await exchange(outside, callbacks, request)
          if (reply.kind === 'later') failed = true
          return reply
        },
        photo,
        // The browser calls again: cheaper than waiting in a running worker.
        usable: () => !failed,
        wifi: () => false,
        settle: () => Promise.resolve(),
        ended: (token) => channel.post({ kind: 'ended', token }),
        leadershipLost: () => void delivering.stop(),
      },
      owner,
      fence,
    )
    lost.addEventListener('abort', () => void delivering.stop())
    await delivering.idle()
    await delivering.stop()
    channel.close()
  }
  for (const owner of ownersOf(await table.read())) {
    const work = (lost: AbortSignal) => deliver(owner, lost)
    const delivered = await outside.lock(`lead:${owner}`, 'ifFree', work).catch(() => undefined)
    if (delivered === null && (await isHolderFrozen(outside, owner)))
      await outside.lock(`lead:${owner}`, 'steal', work).catch(() => undefined)
  }
  await meter.write()
  return ownersOf(await table.read()).length > 0
}

function ownersOf(state: OutboxState) {
  const known = new Set(['', ...state.meta.sessions.map(({ owner }) => owner)])
  const unsent = state.entries.filter((entry) => isUnsent(entry) && known.has(entry.owner))
  return [...new Set(unsent.map(({ owner }) => owner))]
}

function isHolderFrozen(outside: Outside, owner: string) {
  return new Promise((resolve) => {
    const channel = outside.channel(`lead:${owner}`, () => end(false))
    const cancel = outside.setTimer(LISTEN_MS, () => end(true))
    const end = (frozen: boolean) => {
      cancel()
      channel.close()
      resolve(frozen)
    }
  })
}
