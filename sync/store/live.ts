import {
  combineLatest,
  distinctUntilChanged,
  map,
  Observable,
  retry,
  switchMap,
  type Subscription,
} from 'rxjs'
import { deepEqual } from 'rxdb/plugins/core'
import type { NetworkFacts, Frame, Question, QuestionName, Status } from '#schema/port/question'
import type { Refresh, FetchStatus } from '../inbox/refresh.ts'
import type { LiveAnswer, QuestionRule, QuestionRules, Tools } from '../noun.ts'
import { paced, type Clock } from './pace.ts'

/** Minimum interval of frames; a single change is sent at once. */
const FRAME_MS = 100
const RETRY_MS = 3000

export type EmitFrame = (key: string, frame: Frame) => void

/** Live queries of the page: one per question, shared by its readers. */
export class Answers {
  readonly #rules: QuestionRules
  readonly #tools: Tools
  readonly #refresh: Refresh
  readonly #clock: Clock
  readonly #emit: EmitFrame
  readonly #answers = new Map<string, Answer>()
  readonly #names = new Map<string, string>()

  constructor(rules: QuestionRules, tools: Tools, refresh: Refresh, clock: Clock, emit: EmitFrame) {
    this.#rules = rules
    this.#tools = tools
    this.#refresh = refresh
    this.#clock = clock
    this.#emit = emit
  }

  /**
   * A repeated `key` replaces its question. The first frame then omits unchanged rows, so a growing
   * list is not sent again with each page.
   */
  watch(key: string, question: Question): void {
    const rule = ruleOf(this.#rules, question.name)
    const held = this.#answers.get(this.#names.get(key) ?? '')?.rows
    this.unwatch(key)
    if (rule === null) return
    const name = `${question.name} ${JSON.stringify(question.params)}`
    this.#names.set(key, name)
    let answer = this.#answers.get(name)
    if (answer === undefined) {
      answer = new Answer(this.#clock, this.#emit)
      this.#answers.set(name, answer)
      answer.join(key, held)
      answer.start(this.#live(rule, question))
    } else answer.join(key, held)
  }

  unwatch(key: string): void {
    const name = this.#names.get(key)
    this.#names.delete(key)
    const answer = name === undefined ? undefined : this.#answers.get(name)
    if (name === undefined || answer === undefined || answer.leave(key)) return
    answer.stop()
    this.#answers.delete(name)
  }

  again(question: Question): Promise<boolean> {
    const rule = ruleOf(this.#rules, question.name)
    return rule === null
      ? Promise.resolve(true)
      : this.#refresh.again(rule.needs(question.params, this.#tools))
  }

  close(): void {
    for (const key of this.#names.keys()) this.unwatch(key)
  }

  #live(rule: QuestionRule<QuestionName>, { params }: Question): Observable<LiveState> {
    const { currentUser$, network } = this.#tools
    const online = network.pipe(
      map((facts) => facts.network),
      distinctUntilChanged(),
    )
    return currentUser$.pipe(
      distinctUntilChanged(deepEqual),
      switchMap(() =>
        combineLatest([
          rule.watch(params, this.#tools),
          this.#refresh.watch(rule.needs(params, this.#tools)),
          online,
        ]),
      ),
      map(([live, fetching, state]) => ({
        live,
        status: statusOf(live, fetching, state),
        since: fetching.since,
      })),
      // Restart after a bug or a disk failure: the query must not end.
      retry({ delay: (error) => this.#retryTimer(error) }),
    )
  }

  #retryTimer(error: unknown): Observable<void> {
    console.warn('question', error)
    return new Observable((reader) => this.#clock.setTimer(RETRY_MS, () => reader.next()))
  }
}

interface LiveState {
  readonly live: LiveAnswer<QuestionName>
  readonly status: Status
  readonly since: number | null
}

type Rows = ReadonlyMap<string, Frame['rows'][number]>

class Answer {
  /** Readers without a first frame yet have the rows they already hold; null: first frame sent. */
  readonly #readers = new Map<string, Rows | null>()
  readonly #pace: { poke(): void; stop(): void }
  readonly #send: EmitFrame
  #next: LiveState | null = null
  #sent: Frame | null = null
  #rows: Rows = new Map()
  #listening: Subscription | null = null

  constructor(clock: Clock, send: EmitFrame) {
    this.#send = send
    this.#pace = paced(clock, FRAME_MS, () => this.#emit())
  }

  get rows(): Rows {
    return this.#rows
  }

  join(reader: string, held: Rows = new Map()): void {
    this.#readers.set(reader, held)
    if (this.#sent !== null) this.#begin(reader, held, this.#sent)
  }

  leave(reader: string): boolean {
    this.#readers.delete(reader)
    return this.#readers.size > 0
  }

  start(states: Observable<LiveState>): void {
    this.#listening = states.subscribe((next) => {
      this.#next = next
      this.#pace.poke()
    })
  }

  stop(): void {
    this.#pace.stop()
    this.#listening?.unsubscribe()
  }

  #emit(): void {
    if (this.#next === null) return
    const { live, status, since } = this.#next
    const rows: Rows = new Map(live.rows.map((row) => [row.id, row]))
    const frame: Frame = {
      ids: [...rows.keys()],
      rows: changedRows(this.#rows, rows),
      facts: live.facts,
      status,
      since,
    }
    const before = this.#sent
    const isChanged =
      before === null ||
      frame.rows.length > 0 ||
      !deepEqual({ ...before, rows: [] }, { ...frame, rows: [] })
    this.#rows = rows
    this.#sent = frame
    for (const [reader, held] of this.#readers) {
      if (held !== null) this.#begin(reader, held, frame)
      else if (isChanged) this.#send(reader, frame)
    }
  }

  #begin(reader: string, held: Rows, frame: Frame): void {
    this.#readers.set(reader, null)
    this.#send(reader, { ...frame, rows: changedRows(held, this.#rows) })
  }
}

function changedRows(held: Rows, rows: Rows): Frame['rows'][number][] {
  return [...rows.values()].filter((row) => !same(held.get(row.id), row))
}

function same(before: unknown, now: unknown): boolean {
  return before === now || deepEqual(before, now)
}

function statusOf(
  { rows, noDataYet = rows.length === 0 }: Pick<LiveAnswer<QuestionName>, 'rows' | 'noDataYet'>,
  fetching: FetchStatus,
  network: NetworkFacts['network'],
): Status {
  if (fetching.fresh) return 'ready'
  if (network === 'offline' || network === 'captive') return 'offline'
  // A failing server is treated as offline. Without rows, or without an earlier answer, screens
  // show another message.
  if (fetching.failed && fetching.since !== null && rows.length > 0) return 'offline'
  return noDataYet && !fetching.settled ? 'loading' : 'stale'
}

function ruleOf(rules: QuestionRules, name: QuestionName): QuestionRule<QuestionName> | null {
  return rules[name] ?? null
}
