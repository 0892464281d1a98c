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
import { limitOf } from '#schema/questionKey'
import type { Refresh, FetchStatus } from './inbox/refresh.ts'
import type { LiveAnswer, QuestionRule, QuestionRules, Tools } from './noun.ts'
import { deepEqual } from './store/rows.ts'
import { after, type SetTimer } from './within.ts'

const FRAME_MS = 100
const RETRY_MS = 3000

type Answer = Pick<Frame, 'status' | 'since'> & { readonly live: LiveAnswer<QuestionName> }

export function createAnswers(
  rules: QuestionRules,
  tools: Tools,
  refresh: Refresh,
  setTimer: SetTimer,
  emit: (key: string, frame: Frame) => void,
) {
  const shared = new Map<string, Observable<Answer>>()
  const readers = new Map<
    string,
    { rows: ReadonlyMap<string, Frame['rows'][number]>; readonly reading: Subscription }
  >()

  function ruleOf({ name }: Question): QuestionRule<QuestionName> | undefined {
    return rules[name]
  }

  function unwatch(key: string) {
    readers.get(key)?.reading.unsubscribe()
    readers.delete(key)
  }

  function answersOf(rule: QuestionRule<QuestionName>, { name, params }: Question) {
    const key = `${name} ${JSON.stringify(params)}`
    const known = shared.get(key)
    if (known !== undefined) return known
    const online = tools.network.pipe(
      map((facts) => facts.network),
      distinctUntilChanged(),
    )
    const answers = tools.currentUser$.pipe(
      distinctUntilChanged(deepEqual),
      switchMap(() =>
        combineLatest([
          rule.watch(params, tools),
          refresh.watch(rule.needs(params, tools)),
          online,
        ]),
      ),
      map(([live, fetching, network]) => ({
        live,
        status: statusOf(live, fetching, network),
        since: fetching.since || null,
      })),
      // A bug or a disk failure must not end the query.
      retry({
        delay: (error) => {
          console.warn('question', error)
          return after(setTimer, RETRY_MS)
        },
      }),
      throttle(() => after(setTimer, FRAME_MS), { leading: true, trailing: true }),
      finalize(() => shared.delete(key)),
      shareReplay({ bufferSize: 1, refCount: true }),
    )
    shared.set(key, answers)
    return answers
  }

  return {
    unwatch,

    /** A repeated `key` replaces its question: rows that the page holds are not sent again. */
    watch(key: string, question: Question) {
      const reader = { rows: readers.get(key)?.rows ?? new Map(), reading: new Subscription() }
      unwatch(key)
      const rule = ruleOf(question)
      if (rule === undefined) return
      readers.set(key, reader)
      let sent: Frame | null = null
      const answers = answersOf(rule, question).subscribe(({ live, status, since }) => {
        const rows = new Map(live.rows.map((row) => [row.id, row]))
        const changed = [...rows.values()].filter((row) => !deepEqual(reader.rows.get(row.id), row))
        const rest = {
          ids: [...rows.keys()],
          facts: live.facts,
          status,
          since,
          limit: limitOf(question),
          rows: [],
        }
        reader.rows = rows
        if (sent !== null && changed.length === 0 && deepEqual(sent, rest)) return
        sent = rest
        emit(key, { ...rest, rows: changed })
      })
      reader.reading.add(answers)
    },

    async again(question: Question) {
      const rule = ruleOf(question)
      return rule === undefined || refresh.again(rule.needs(question.params, tools))
    },

    close() {
      for (const key of readers.keys()) unwatch(key)
    },
  }
}

function statusOf(
  { rows, noDataYet = rows.length === 0 }: LiveAnswer<QuestionName>,
  fetching: FetchStatus,
  network: NetworkFacts['network'],
): Status {
  if (fetching.fresh) return 'ready'
  if (network === 'offline' || network === 'captive') return 'offline'
  // A failing server is like no network, if there is an earlier answer to show.
  if (fetching.failed && fetching.since > 0 && rows.length > 0) return 'offline'
  return noDataYet && !fetching.settled ? 'loading' : 'stale'
}
