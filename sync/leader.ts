import type { RequestParams } from '#schema/port/request'
import { members } from '#schema/tolerant'
import type { Stream } from './inbox/stream.ts'
import type { NetworkClient } from './network/networkClient.ts'
import type { Outbox } from './outbox/outbox.ts'
import type { Outside } from './outside.ts'
import { Timer } from './within.ts'

const BEAT_MS = 3000
const STALE_MS = 10_000
const LOCK_RETRY_MS = 1000

export type Leader = ReturnType<typeof createLeader>

/** By a Web Lock per owner [SYNC 6]. A silent holder is frozen, and its lock is stolen. */
export function createLeader(
  outside: Outside,
  owner: string,
  isVisible: boolean,
  /** Leads until the returned function is called, and keeps the lock until that resolves. */
  lead: (hold: { readonly over: boolean }) => Promise<() => Promise<void>>,
) {
  const name = `lead:${owner}`
  const channel = outside.channel(name, onMessage)
  const timer = new Timer(outside)
  /** An earlier hold may still end its work. */
  let current: { over: boolean; release(): void } | null = null
  let lockRequest: AbortController | null = null
  let isClosed = false
  post(isVisible ? 'front' : 'beat')
  void requestLock('wait')
  stealIfSilent()

  async function requestLock(how: 'wait' | 'steal') {
    lockRequest?.abort()
    const request = new AbortController()
    lockRequest = request
    let wait = 0
    try {
      await outside.lock(name, how, lock, request.signal)
    } catch {
      // The lock was stolen, or the disk failed at the start.
      wait = LOCK_RETRY_MS
    }
    request.abort()
    outside.setTimer(wait, () => {
      if (!isClosed && lockRequest === request) void requestLock('wait')
    })
  }

  async function lock(lost: AbortSignal) {
    if (isClosed) return
    let end: () => void = () => undefined
    const ended = new Promise<void>((resolve) => (end = resolve))
    const hold = {
      over: false,
      release() {
        hold.over = true
        end()
        if (current === hold) current = null
      },
    }
    current = hold
    lost.addEventListener('abort', hold.release)
    timer.stop()
    let leave: (() => Promise<void>) | null = null
    try {
      beat(hold)
      leave = await lead(hold)
      await ended
    } finally {
      hold.release()
      stealIfSilent()
      await leave?.()
    }
  }

  function beat(hold: typeof current) {
    if (current !== hold || isClosed) return
    post('beat')
    timer.start(BEAT_MS, () => beat(hold))
  }

  function stealIfSilent() {
    if (current || isClosed) return
    timer.start(STALE_MS, () => void requestLock('steal'))
  }

  function onMessage(message: unknown) {
    if (isClosed) return
    const { kind, hidden } = members(message)
    if (kind === 'front' && !isVisible) giveUp()
    if (kind !== 'beat') return
    stealIfSilent()
    // The leader may have missed the first message. It must not give the lock up before this tab
    // waits for it: it would get it back at once, in a loop.
    if (hidden === true && isVisible && lockRequest?.signal.aborted === false) post('front')
  }

  /** `beat`: the leader runs; a `hidden` one hands over. `front`: a visible tab asks to lead. */
  function post(kind: 'beat' | 'front') {
    channel.post({ kind, hidden: !isVisible })
  }

  function giveUp() {
    current?.release()
  }

  return {
    giveUp,
    visible(visible: boolean) {
      if (visible === isVisible || isClosed) return
      isVisible = visible
      if (visible) post('front')
      else if (current) post('beat')
    },
    close() {
      isClosed = true
      timer.stop()
      lockRequest?.abort()
      giveUp()
      channel.close()
    },
  }
}

interface Parts {
  readonly outside: Outside
  readonly outbox: Outbox
  readonly line: NetworkClient
  stream(): Stream | null
  visibility(): TabVisibility
}

interface TabVisibility extends Pick<
  RequestParams<'page.state'>,
  'visible' | 'messages' | 'saveData'
> {
  /** Hidden for longer than a short switch to another app. */
  readonly away: boolean
}

export type LeaderDuties = ReturnType<typeof createLeaderDuties>

/** The leader delivers the entries of its user and of visitors, and has the event stream. */
export function createLeaderDuties({ outside, outbox, line, stream, visibility }: Parts) {
  const leaders = new Map<string, Leader>()
  let owner = ''

  function updateStream() {
    const tab = visibility()
    const leader = outbox.delivers(owner)
    line.setFacts({ leader })
    const isWanted = owner !== '' && leader && line.usable && !tab.away
    stream()?.want(isWanted, pollsOf(tab), tab.saveData)
  }

  return {
    updateStream,
    enter(user: string) {
      owner = user
      for (const one of new Set([owner, ''])) {
        const leader = createLeader(outside, one, visibility().visible, async (hold) => {
          const leave = await outbox.lead(one, hold, () => leaders.get(one)?.giveUp())
          updateStream()
          return () => {
            const left = leave()
            updateStream()
            return left
          }
        })
        leaders.set(one, leader)
      }
    },
    leave() {
      for (const leader of leaders.values()) leader.close()
      leaders.clear()
      updateStream()
    },
    visibilityChanged() {
      const { visible } = visibility()
      for (const leader of leaders.values()) leader.visible(visible)
      updateStream()
      stream()?.send({ type: 'presence', visible })
      if (visible) stream()?.connectNow()
    },
  }
}

/** [S4.11] An open conversation is always polled; the rest not with data saver [SYNC 8]. */
function pollsOf({ visible, messages, saveData }: TabVisibility) {
  if (!visible) return null
  return messages ? 'conversations' : saveData ? null : 'everything'
}
