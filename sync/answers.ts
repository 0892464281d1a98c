import {
  combineLatest,
  distinctUntilChanged,
  finalize,
  map,
  retry,
  shareReplay,
  Subscription,
  switchMap,
  throttle,
  type Observable,
} from 'rxjs'
import type { NetworkFacts, Frame, Question, QuestionName, Status } from '#schema/port/question'
import type { Refresh, FetchStatus } from './inbox/refresh.ts'
import type { LiveAnswer, QuestionRule, QuestionRules, Tools } from './noun.ts'
import { deepEqual } from './store/rows.ts'
import { after, type SetTimer } from './within.ts'

/** Minimum interval of frames; a single change is sent at once. */
const FRAME_MS = 100
const RETRY_MS = 3000

type Rows = ReadonlyMap<string, Frame['rows'][number]>

interface Reader {
  /** What the page holds. */
  rows: Rows
  readonly reading: Subscription
}

interface LiveState {
  readonly live: LiveAnswer<QuestionName>
  readonly status: Status
  readonly since: number | null
}

/** Live queries of the page: one per question, shared by its readers. */
export class Answers {
  readonly #rules: QuestionRules
  readonly #tools: Tools
  readonly #refresh: Refresh
  readonly #setTimer: SetTimer
  readonly #emit: (key: string, frame: Frame) => void
  readonly #states = new Map<string, Observable<LiveState>>()
  readonly #readers = new Map<string, Reader>()

  constructor(
    rules: QuestionRules,
    tools: Tools,
    refresh: Refresh,
    setTimer: SetTimer,
    emit: (key: string, frame: Frame) => void,
  ) {
    this.#rules = rules
    this.#tools = tools
    this.#refresh = refresh
    this.#setTimer = setTimer
    this.#emit = emit
  }

  /**
   * A repeated `key` replaces its question. The first frame then omits unchanged rows, so a growing
   * list is not sent again with each page.
   */
  watch(key: string, question: Question): void {
    const rows: Rows = this.#readers.get(key)?.rows ?? new Map()
    const reader: Reader = { rows, reading: new Subscription() }
    this.unwatch(key)
    const rule = this.#rule(question)
    if (rule === undefined) return
    this.#readers.set(key, reader)
    let sent: Frame | null = null
    const states = this.#shared(rule, question).subscribe(({ live, status, since }) => {
      const rows: Rows = new Map(live.rows.map((row) => [row.id, row]))
      const changed = [...rows.values()].filter((row) => !deepEqual(reader.rows.get(row.id), row))
      const rest = { ids: [...rows.keys()], facts: live.facts, status, since, rows: [] }
      reader.rows = rows
      if (sent !== null && changed.length === 0 && deepEqual(sent, rest)) return
      sent = rest
      this.#emit(key, { ...rest, rows: changed })
    })
    reader.reading.add(states)
  }

  unwatch(key: string): void {
    this.#readers.get(key)?.reading.unsubscribe()
    this.#readers.delete(key)
  }

  async again(question: Question): Promise<boolean> {
    const rule = this.#rule(question)
    return rule === undefined || this.#refresh.again(rule.needs(question.params, this.#tools))
  }

  close(): void {
    for (const key of this.#readers.keys()) this.unwatch(key)
  }

  #rule({ name }: Question): QuestionRule<QuestionName> | undefined {
    return this.#rules[name]
  }

  #shared(rule: QuestionRule<QuestionName>, question: Question): Observable<LiveState> {
    const name = `${question.name} ${JSON.stringify(question.params)}`
    const shared =
      this.#states.get(name) ??
      this.#live(rule, question).pipe(
        throttle(() => after(this.#setTimer, FRAME_MS), { leading: true, trailing: true }),
        finalize(() => this.#states.delete(name)),
        shareReplay({ bufferSize: 1, refCount: true }),
      )
    this.#states.set(name, shared)
    return shared
  }

  #live(rule: QuestionRule<QuestionName>, { params }: Question): Observable<LiveState> {
    const online = this.#tools.network.pipe(
      map((facts) => facts.network),
      distinctUntilChanged(),
    )
    return this.#tools.currentUser$.pipe(
      distinctUntilChanged(deepEqual),
      switchMap(() =>
        combineLatest([
          rule.watch(params, this.#tools),
          this.#refresh.watch(rule.needs(params, this.#tools)),
          online,
        ]),
      ),
      map(([live, fetching, network]) => ({
        live,
        status: statusOf(live, fetching, network),
        since: fetching.since,
      })),
      // Restart after a bug or a disk failure: the query must not end.
      retry({
        delay: (error) => {
          console.warn('question', error)
          return after(this.#setTimer, RETRY_MS)
        },
      }),
    )
  }
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
