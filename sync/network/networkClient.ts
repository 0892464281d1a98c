import { members, text } from '#schema/tolerant'
import { parsed } from '#schema/parsed'
import { later } from '#schema/port/outcome'
import type { NetworkFacts } from '#schema/port/question'
import type { AnswerOf, Call } from '#schema/wire/call'
import { ping } from '#schema/wire/operations'
import { ME_PATH } from '#schema/wire/session'
import type { SessionInput } from '#schema/port/engine'
import { BehaviorSubject } from 'rxjs'
import type { CallOptions, CallResult } from '../noun.ts'
import type { Outside } from '../outside.ts'
import { sleep } from '../within.ts'
import { createWaits } from './backoff.ts'
import { exchange, type Exchange } from './http.ts'
import type { Meter } from './meter.ts'
import { watchNetwork, type WatchCallbacks } from './watch.ts'

interface NetworkCallbacks extends Pick<WatchCallbacks, 'online' | 'serverAnswered'> {
  changed(): void
  /** [S4.06] */
  signedOut(token: string): void
}

export type NetworkClient = ReturnType<typeof createNetworkClient>

export function createNetworkClient(
  outside: Outside,
  meter: Meter,
  memoryOnly: boolean,
  session: () => SessionInput,
  callbacks: NetworkCallbacks,
) {
  const ownerWaits = createWaits(outside)
  const facts = new BehaviorSubject<NetworkFacts>({
    network: 'online',
    socket: 'closed',
    busy: 0,
    waiting: 0,
    leader: false,
    memoryOnly,
  })
  const watch = watchNetwork(outside, {
    ...callbacks,
    probe: () => send({ call: ping, authContext: { ...session(), token: null } }),
    changed(network) {
      setFacts({ network })
      callbacks.changed()
    },
  })

  function setFacts(changed: Partial<NetworkFacts>) {
    const next = { ...facts.value, ...changed }
    if (JSON.stringify(next) !== JSON.stringify(facts.value)) facts.next(next)
  }

  function send(request: Exchange) {
    return exchange(outside, { begin: watch.begin, bytes: meter.add }, request)
  }

  /** Answers that a user waits for [S2.29]. */
  function busy(more: number) {
    setFacts({ busy: facts.value.busy + more })
  }

  async function call<C extends Call, A = AnswerOf<C>>(
    call: C,
    options: CallOptions<C>,
    read?: (body: unknown) => A | null,
  ): Promise<CallResult<A>>
  async function call(
    call: Call,
    { token: given, ...options }: CallOptions<Call>,
    read = (body: unknown) => (call.answer === null ? undefined : parsed(call.answer, body)),
  ): Promise<CallResult<unknown>> {
    const own = session()
    const token = given === undefined ? own.token : given
    busy(1)
    try {
      const reply = await send({ call, ...options, authContext: { ...own, token } })
      if (reply.kind === 'signed-out' && token !== null && given === undefined)
        callbacks.signedOut(token)
      if (reply.kind !== 'done') return reply
      const answer = read(reply.answer)
      return answer === null ? later('server', true) : { ...reply, answer }
    } finally {
      busy(-1)
    }
  }

  return {
    facts,
    setFacts,
    send,
    call,
    get usable() {
      return watch.usable
    },
    /** null: unknown for now, and the next call waits first. */
    async fetchTokenOwner() {
      const { token } = session()
      const key = token ?? ''
      const left = ownerWaits.left(key)
      if (left > 0) await sleep(outside.setTimer, left)
      if (session().token !== token) return null
      const reply = await send({
        call: { method: 'GET', path: ME_PATH },
        authContext: session(),
      })
      if (reply.kind === 'signed-out') return 'ended'
      const { id, username } = members(reply.kind === 'done' ? reply.answer : null)
      const owner = text(id)
      if (owner === null) {
        ownerWaits.failed(key, 'other', reply.kind === 'later' ? reply.retryAfterMs : null)
        return null
      }
      ownerWaits.succeeded(key)
      return { id: owner, username: text(username) ?? '' }
    },
    page(online: boolean, awake: boolean) {
      watch.browser(online)
      watch.awake(awake)
    },
    close: () => watch.awake(false),
  }
}
