import type { Entry } from '#schema/disk/entry'
import { BehaviorSubject } from 'rxjs'
import { members } from '#schema/tolerant'
import type { Outside } from '../outside.ts'
import { Timer } from '../within.ts'
import type { Outbox } from './outbox.ts'
import type { Unread } from './state.ts'
import { Unstorable } from './table.ts'

interface LateParts {
  readonly outside: Outside
  exists(): Promise<boolean>
  make(): Promise<Outbox>
  /** Called once, before the first write. */
  made(outbox: Outbox): Promise<void>
  ended(token: string): void
}

type OutboxMessage =
  | { readonly kind: 'changed' }
  | { readonly kind: 'ended'; readonly token: string }

const LOOK_MS = 60_000

export type LateOutbox = ReturnType<typeof createLateOutbox>

/**
 * Empty until its code is loaded: by the first write, by a session, or where the device has a
 * database. A visitor who writes nothing loads neither code nor database.
 */
export function createLateOutbox({ outside, exists, make, made, ended }: LateParts) {
  const lookTimer = new Timer(outside)
  const channel = outside.channel('outbox', (message) => {
    if (isClosed) return
    const { kind, token } = members(message)
    if (kind === 'ended' && typeof token === 'string') ended(token)
    if (kind === 'changed') void (now ? now.refresh() : find())
  })
  let now: Outbox | null = null
  let loading: Promise<Outbox> | null = null
  let isClosed = false

  /** In the order of the calls. Rejects offline, if not cached; the next call tries again. */
  function load() {
    return (loading ??= loadNow())
  }

  async function loadNow(): Promise<Outbox> {
    try {
      const outbox = await make()
      if (isClosed) {
        outbox.close()
        throw new Error('closed')
      }
      now = outbox
      lookTimer.stop()
      await made(outbox)
      return outbox
    } catch (cause) {
      loading = null
      throw new Unstorable('unloaded', { cause })
    }
  }

  /** Loads it where the device has a database; null: none, or not now. */
  async function find(): Promise<Outbox | null> {
    if (now || isClosed) return now
    // A tab that dies right after it created the database tells nobody of it.
    if (!lookTimer.isRunning) lookTimer.start(LOOK_MS, () => void find())
    try {
      return (await exists()) ? await load() : null
    } catch (error) {
      console.warn('outbox', error)
      return null
    }
  }

  function post(message: OutboxMessage) {
    if (!isClosed) channel.post(message)
  }

  return {
    load,
    find,
    entries: new BehaviorSubject<readonly Entry[]>([]),
    texts: new BehaviorSubject<ReadonlyMap<string, string>>(new Map()),
    unread: new BehaviorSubject<readonly Unread[]>([]),
    /** null: not loaded, so nothing is in it. */
    get now() {
      return now
    },
    /** Every tab ends its session. */
    ended(token: string) {
      post({ kind: 'ended', token })
      ended(token)
    },
    changed: () => post({ kind: 'changed' }),
    close() {
      isClosed = true
      lookTimer.stop()
      channel.close()
      now?.close()
    },
  }
}
