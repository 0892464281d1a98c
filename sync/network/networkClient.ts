import { parsed } from '#schema/parsed'
import { later } from '#schema/port/outcome'
import type { NetworkFacts } from '#schema/port/question'
import type { AnswerOf, Call } from '#schema/wire/call'
import { ping } from '#schema/wire/operations'
import { ME_PATH } from '#schema/wire/session'
import { BehaviorSubject } from 'rxjs'
import * as v from 'valibot'
import type { CallOptions, CallResult, HttpClient, Person } from '../noun.ts'
import type { Outside } from '../outside.ts'
import { causeOf, Waits } from './backoff.ts'
import {
  exchange,
  type Exchange,
  type HttpCallbacks,
  type HttpReply,
  type AuthContext,
} from './http.ts'
import type { Meter } from './meter.ts'
import { NetworkWatch, type WatchCallbacks } from './watch.ts'

export interface NetworkCallbacks extends Pick<WatchCallbacks, 'online' | 'serverAnswered'> {
  changed(): void
  /** The server rejected this token [S4.06]. */
  signedOut(token: string): void
}

const person = v.pipe(
  v.looseObject({ id: v.union([v.string(), v.number()]), username: v.optional(v.string(), '') }),
  v.transform(({ id, username }) => ({ id: String(id), username })),
)

/**
 * Sends all requests of this tab, counts their bytes, and derives the network state from their
 * outcomes.
 */
export class NetworkClient implements HttpClient {
  readonly facts: BehaviorSubject<NetworkFacts>
  readonly #outside: Outside
  readonly #callbacks: NetworkCallbacks
  readonly #httpCallbacks: HttpCallbacks
  readonly #watch: NetworkWatch
  readonly #authContext: () => AuthContext
  readonly #waits: Waits

  constructor(
    outside: Outside,
    meter: Meter,
    memoryOnly: boolean,
    authContext: () => AuthContext,
    callbacks: NetworkCallbacks,
  ) {
    this.#outside = outside
    this.#authContext = authContext
    this.#callbacks = callbacks
    this.#waits = new Waits(outside)
    this.facts = new BehaviorSubject<NetworkFacts>({
      network: 'online',
      since: outside.now(),
      socket: 'closed',
      busy: 0,
      waiting: 0,
      leader: false,
      memoryOnly,
    })
    this.#watch = new NetworkWatch(outside, {
      ...callbacks,
      probe: async () => {
        await this.send({ call: ping, authContext: { ...authContext(), token: null } })
      },
      changed: (network) => {
        this.setFacts({ network, since: outside.now() })
        callbacks.changed()
      },
    })
    this.#httpCallbacks = {
      observe: (observation) => this.#watch.observe(observation),
      bytes: (sent, received) => meter.add(sent, received),
      browserEvents: () => this.#watch.browserEvents,
    }
  }

  get usable(): boolean {
    return this.#watch.usable
  }

  setFacts(facts: Partial<NetworkFacts>): void {
    const before = this.facts.value
    const next = { ...before, ...facts }
    if (JSON.stringify(next) !== JSON.stringify(before)) this.facts.next(next)
  }

  send(what: Exchange): Promise<HttpReply> {
    return exchange(this.#outside, this.#httpCallbacks, what)
  }

  async call<C extends Call, A = AnswerOf<C>>(
    call: C,
    options: CallOptions<C>,
    read?: (body: unknown) => A | null,
  ): Promise<CallResult<A>>
  async call(
    call: Call,
    { token: given, ...options }: CallOptions<Call>,
    read = (body: unknown) => (call.answer === null ? undefined : parsed(call.answer, body)),
  ): Promise<CallResult<unknown>> {
    const own = this.#authContext()
    const token = given === undefined ? own.token : given
    this.#busy(1)
    try {
      const reply = await this.send({ call, ...options, authContext: { ...own, token } })
      if (reply.kind === 'signed-out' && token !== null && given === undefined)
        this.#callbacks.signedOut(token)
      if (reply.kind !== 'done') return reply
      const answer = read(reply.answer)
      return answer === null ? later('server', true) : { ...reply, answer }
    } finally {
      this.#busy(-1)
    }
  }

  /** Changes the number of answers that a user waits for [S2.29]. */
  #busy(more: number): void {
    this.setFacts({ busy: this.facts.value.busy + more })
  }

  /** Fetches the owner of the current token; null: unknown for now. Waits for a backoff first. */
  async fetchTokenOwner(): Promise<Person | 'ended' | null> {
    const { token } = this.#authContext()
    const key = token ?? ''
    const left = this.#waits.left(key)
    if (left > 0) await new Promise<void>((resolve) => void this.#outside.setTimer(left, resolve))
    if (this.#authContext().token !== token) return null
    const reply = await this.send({
      call: { method: 'GET', path: ME_PATH },
      authContext: this.#authContext(),
    })
    if (reply.kind === 'later' && reply.reached)
      this.#waits.failed(key, causeOf(reply.why), reply.retryAfterMs)
    else this.#waits.succeeded(key)
    if (reply.kind === 'signed-out') return 'ended'
    return parsed(person, reply.kind === 'done' ? reply.answer : null)
  }

  page(online: boolean, awake: boolean): void {
    this.#watch.observe({ kind: 'browser', online, at: this.#watch.browserEvents + 1 })
    this.#watch.awake(awake)
  }

  close(): void {
    this.#watch.close()
  }
}
