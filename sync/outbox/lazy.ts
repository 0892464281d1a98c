import { type Members, members } from '#schema/tolerant'
import type { Outside } from '../outside.ts'
import { Timer } from '../within.ts'
import type { Outbox } from './outbox.ts'
import { ShownOutbox, Unstorable } from './table.ts'

interface LazyParts {
  readonly outside: Outside
  exists(): Promise<boolean>
  make(shown: ShownOutbox): Promise<Outbox>
  made(): void
  ended(token: string): void
}

const LOOK_MS = 60_000

export type LazyOutbox = ReturnType<typeof createLazyOutbox>

/** Empty until its code is loaded: by a first write, a session, or a database on the device. */
export function createLazyOutbox({ outside, exists, make, made, ended }: LazyParts) {
  const shown = new ShownOutbox()
  const lookTimer = new Timer(outside)
  const channel = outside.channel('outbox', (message) => {
    if (isClosed) return
    const { kind, token } = members(message)
    if (kind === 'ended' && typeof token === 'string') ended(token)
    if (kind === 'changed') look()
  })
  let now: Outbox | null = null
  let loading: Promise<Outbox> | null = null
  let isClosed = false
  lookAgain()

  /** A tab that dies right after a write announces nothing. */
  function lookAgain() {
    lookTimer.start(LOOK_MS, () => {
      lookAgain()
      look()
    })
  }

  function look() {
    void (now ? now.refresh() : find())
  }

  /** Rejects offline, if not cached; the next call tries again. */
  function load() {
    return (loading ??= loadNow())
  }

  async function loadNow() {
    try {
      const outbox = await make(shown)
      if (isClosed) {
        outbox.close()
        throw new Error('closed')
      }
      now = outbox
      made()
      return outbox
    } catch (cause) {
      loading = null
      throw new Unstorable('unloaded', { cause })
    }
  }

  async function find() {
    try {
      if (!now && !isClosed && (await exists())) await load()
    } catch (error) {
      console.warn('outbox', error)
    }
  }

  function post(message: Members) {
    if (!isClosed) channel.post(message)
  }

  return {
    ...shown,
    load,
    find,
    /** null: not loaded, so nothing is in it. */
    get now() {
      return now
    },
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
