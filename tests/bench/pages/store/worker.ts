import { BehaviorSubject } from 'rxjs'
import type { ListingDocument, MessageDocument } from '#schema/disk/documents'
import { readFilter } from '#schema/filter'
import type { Params, Question, QuestionName } from '#schema/port/question'
import { createRefresh } from '#sync/inbox/refresh'
import type { LiveAnswer, Tools } from '#sync/noun'
import { readListing } from '#schema/listingDocument'
import { matches, rowOf } from '#sync/nouns/listing/search'
import { questions } from '#sync/signed-in'
import { browserDisk } from '#sync/store/open'
import { createAnswers } from '#sync/answers'
import { openStore } from '#sync/store/store'

const ROWS = 5000
const PAGE = 20
const COVERED = 60
const RUNS = 60

const words = [
  'Toyota',
  'Corolla',
  'téléphone',
  'canapé',
  'moto',
  'Yamaha',
  'récent',
  'état',
  'prix',
  'quartier',
  'urgent',
  'neuf',
  'livré',
  'réfrigérateur',
  'télévision',
  'parcelle',
]
const categories = ['vehicles', 'mobile-tablet', 'home-garden', 'electronics', 'fashion']
const pick = <T>(from: readonly T[], n: number): T | undefined => from[n % from.length]

/** Listings whose texts have 143 characters on average, as in [SYNC 4]. */
function listing(n: number): ListingDocument {
  const text = Array.from({ length: 18 }, (_, at) => pick(words, n * 7 + at * (1 + (n % 5)))).join(
    ' ',
  )
  const at = new Date(Date.UTC(2026, 2, 1) - n * 60_000).toISOString()
  const read = readListing(
    {
      id: `019d${n.toString(16).padStart(8, '0')}`,
      title: text.slice(0, 40),
      description: text,
      price: (n * 977) % 5_000_000,
      category: pick(categories, n),
      region: n % 3 === 0 ? 'kadiogo' : 'guiriko',
      region_name: 'Kadiogo',
      town: 'ouagadougou',
      town_name: 'Ouagadougou',
      condition: n % 2 === 0 ? 'used' : 'new',
      status: 'active',
      posted_at: at,
      updated_at: at,
      specs: { brand: pick(words, n) },
      seller: {
        id: `U${n % 500}`,
        username: `seller.${n % 500}`,
        slug: `seller-${n % 500}`,
        verified_seller: n % 4 === 0,
      },
      images: [
        {
          id: 'I',
          position: 0,
          width: 1600,
          height: 1200,
          url: '/media/images/8f3c21d0a7b94e15/640.webp',
          base: '/media/images/8f3c21d0a7b94e15',
          widths: [160, 320, 640, 1280],
          formats: ['avif', 'webp'],
          avif_widths: [],
          thumbhash: '3OcRJYB4d3h/iIeHeEh3eIhw+j3A',
          color: '#8a7d6b',
        },
      ],
    },
    Date.now(),
  )
  if (read === null) throw new Error('no listing')
  return read
}

function message(n: number): MessageDocument {
  return {
    id: `M${n}`,
    serverId: `M${n}`,
    conversation: 'C1',
    seq: n,
    order: n,
    newest: -n,
    client_id: null,
    content: 'Bonjour',
    sender_username: '',
    sender_id: 'U2',
    attachment: null,
    created_at: new Date(Date.UTC(2026, 2, 1) + n * 1000).toISOString(),
    state: 'sent',
  }
}

const later = (ms: number, what: () => void) => {
  const timer = setTimeout(what, ms)
  return () => clearTimeout(timer)
}
const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
/** Medians in ms; the works run in turns, so that all have the same conditions. */
async function timed<N extends string>(
  works: Readonly<Record<N, () => unknown>>,
): Promise<Record<string, number>> {
  const took = new Map<string, number[]>()
  for (let run = 0; run < RUNS; run++)
    for (const [name, work] of Object.entries<() => unknown>(works)) {
      const began = performance.now()
      await work()
      took.set(name, [...(took.get(name) ?? []), performance.now() - began])
    }
  return Object.fromEntries([...took].map(([name, values]) => [name, median(values)]))
}

function request<T>(asked: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    asked.onsuccess = () => resolve(asked.result)
    asked.onerror = () => reject(asked.error ?? new Error('IndexedDB'))
  })
}

/** Bare IndexedDB with the same rows: an index, a key range, one getAll. */
async function bare(rows: readonly ListingDocument[]): Promise<(from: number) => Promise<unknown>> {
  const opening = indexedDB.open('bare', 1)
  opening.onupgradeneeded = () =>
    opening.result
      .createObjectStore('rows', { keyPath: 'id' })
      .createIndex('newest', ['newest', 'id'])
  const database = await request(opening)
  const filling = database.transaction('rows', 'readwrite')
  for (const row of rows) filling.objectStore('rows').put(row)
  await new Promise((resolve) => (filling.oncomplete = resolve))
  return (from) =>
    request(
      database
        .transaction('rows')
        .objectStore('rows')
        .index('newest')
        .getAll(IDBKeyRange.lowerBound([rows[from]?.newest]), PAGE),
    )
}

async function measure() {
  const all = Array.from({ length: ROWS }, (_, n) => listing(n))
  const raw = await bare(all)
  const disk = browserDisk(
    indexedDB,
    IDBKeyRange,
    () => ({
      post: () => undefined,
      close: () => undefined,
    }),
    later,
  )
  const now = () => Date.now()
  const place = { name: 'bench', version: 1, disk, setTimer: later }
  let store = await openStore(place, '')
  const filling = performance.now()
  await store.listings.put(all)
  const filled = performance.now() - filling
  const covered = (id: string, from: number) => ({
    id,
    ids: all.slice(from, from + COVERED).map((row) => row.id),
    count: ROWS,
    next: '/api/listings/?page=11',
    cursor: null,
    etag: null,
    at: now(),
    problem: null,
    facts: null,
  })
  // Every cold run asks for rows that no run read before.
  await store.lists.put([
    covered('browse:', 0),
    ...Array.from({ length: RUNS }, (_, run) => covered(`browse:search=${run}`, (run + 1) * 60)),
  ])

  const tools: Tools = {
    store,
    http: { call: () => new Promise(() => undefined) },
    currentUser: () => ({ me: '', username: '', language: 'fr' }),
    currentUser$: new BehaviorSubject({ me: '', username: '', language: 'fr' as const }),
    now,
    saveData: () => false,
    unreadableEntries: new BehaviorSubject([]),
    network: new BehaviorSubject({
      network: 'online' as const,
      socket: 'closed' as const,
      busy: 0,
      waiting: 0,
      leader: true,
      memoryOnly: false,
    }),
    outbox: new BehaviorSubject([]),
    texts: new BehaviorSubject(new Map()),
    ephemeral: {
      set: () => undefined,
      clear: () => undefined,
      observe: () => new BehaviorSubject(null),
    },
    scheduleRefetch: () => undefined,
    echoed: async () => undefined,
    eraseOwnData: () => Promise.resolve(),
    rememberSession: () => Promise.resolve(),
    refetchQuestion: () => undefined,
    endedSessionOwner: () => Promise.resolve(''),
    drafts: () => Promise.reject(new Error('nobody sells here')),
  }
  const refresh = createRefresh({
    tools: () => tools,
    store,
    outside: { now, setTimer: later, random: Math.random },
    failed: (error) => console.error(error),
  })
  let onPage: () => void = () => undefined
  const answers = createAnswers(
    questions,
    tools,
    refresh,
    later,
    (_, frame) => frame.rows.length === PAGE && onPage(),
  )
  const ask = (question: Question) =>
    new Promise<void>((resolve) => {
      onPage = () => {
        answers.unwatch('bench')
        resolve()
      }
      answers.watch('bench', question)
    })

  let run = 0
  const reads = await timed({
    cold: () =>
      ask({ name: 'listings.browse', params: { filters: { search: String(run++) }, limit: PAGE } }),
    page: () => ask({ name: 'listings.browse', params: { filters: {}, limit: PAGE } }),
    index: () =>
      store.listings
        .find({
          selector: { newest: { $gt: all[run * 60]?.newest ?? 0 } },
          sort: [{ newest: 'asc' }],
          limit: PAGE,
        })
        .exec(),
    getAll: () => raw(run * 60),
  })

  /** From a write until the question shows it. */
  const answeredAfter = async <N extends QuestionName>(
    name: N,
    params: Params<N>,
    write: (turn: number) => Promise<void>,
    says: (answer: LiveAnswer<N>, turn: number) => boolean,
  ) => {
    let turn = 0
    let onAnswer: () => void = () => undefined
    const watching = questions[name]
      .watch(params, tools)
      .subscribe((answer) => says(answer, turn) && onAnswer())
    const next = async () => {
      turn++
      const answered = new Promise<void>((resolve) => (onAnswer = resolve))
      await write(turn)
      await answered
    }
    await next()
    const { took } = await timed({ took: next })
    watching.unsubscribe()
    return took ?? Number.NaN
  }
  const messages = Array.from({ length: 200 }, (_, n) => message(n))
  await store.messages.put(messages)
  const threadAfter = await answeredAfter(
    'messages.thread',
    { conversation: 'C1', limit: 30 },
    (turn) => store.messages.put([message(200 + turn)]),
    ({ rows }, turn) => rows.at(-1)?.seq === 200 + turn,
  )
  const listAfter = await answeredAfter(
    'listings.browse',
    { filters: {}, limit: PAGE },
    (turn) => store.listings.put(all.slice(0, 1).map((row) => ({ ...row, views_total: turn }))),
    ({ rows }, turn) => rows[0]?.views_total === turn,
  )

  /** A new page after the other, while rows arrive in another collection or in this one. */
  const flooded: number[] = []
  for (let flood = 1; flood <= 3; flood++) {
    const arriving = store.listings.put(
      all.slice(0, 1000).map((row) => ({ ...row, views_total: -flood })),
    )
    const arrived = arriving.then(() => true)
    const running = () => Promise.race([arrived, Promise.resolve(false)])
    // oxlint-disable-next-line no-await-in-loop -- one page after the other
    for (let from = 2000; !(await running()); from += COVERED) {
      const search = `flood ${flood} ${from}`
      await store.lists.put([covered(`browse:search=${search}`, from % 4900)])
      const began = performance.now()
      await ask({ name: 'listings.browse', params: { filters: { search }, limit: PAGE } })
      flooded.push(performance.now() - began)
    }
  }

  const table = new Map(all.map((row) => [row.id, rowOf(row)]))
  const { filter } = readFilter(
    { search: 'telephone etat', category: 'vehicles', region: 'kadiogo' },
    2026,
  )
  const texts = all.map((row) => `${row.title} ${row.more?.description ?? ''}`)
  const found = matches(table, filter, now()).length
  const searches = await timed({
    search: () => matches(table, filter, now()),
    whole: () => matches(table, readFilter({}, 2026).filter, now()),
    includes: () =>
      texts.filter((text) => text.includes('téléphone') && text.includes('état')).length,
  })
  const opens = await timed({
    open: async () => {
      await store.close()
      store = await openStore(place, '')
      await store.listings.find({ sort: [{ newest: 'asc' }], limit: PAGE }).exec()
    },
    bareOpen: async () => {
      const database = await request(indexedDB.open('bare', 1))
      await request(
        database.transaction('rows').objectStore('rows').index('newest').getAll(null, PAGE),
      )
      database.close()
    },
  })
  return {
    ...reads,
    ...searches,
    ...opens,
    found,
    filled,
    threadAfter,
    listAfter,
    flooded: median(flooded),
    floodedPages: flooded.length,
  }
}

measure().then(postMessage, (error: unknown) => postMessage({ error: String(error) }))
