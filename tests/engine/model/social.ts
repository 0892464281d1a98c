import type { Preferences } from '#schema/wire/notification'
import type { Answer } from './server.ts'

type Body = Readonly<Record<string, unknown>>

export interface ModelNotice {
  readonly id: string
  readonly shown: Readonly<Record<string, unknown>>
  read: boolean
  /** Grows with each change of any row: the cursor of a delta. */
  touched: number
}

interface Review {
  readonly id: string
  readonly rating: number
  readonly comment: string
}

interface SavedSearch {
  readonly id: string
  readonly name: string
  readonly params: string
}

export interface Account {
  readonly following: Set<string>
  readonly blocked: Set<string>
  readonly profile: Map<string, unknown>
  readonly preferences: Map<string, boolean>
  readonly reviews: Map<string, Review>
  readonly searches: Map<string, SavedSearch>
  readonly notices: ModelNotice[]
}

const channels = ['messages', 'announcements', 'system'] as const
const ways = ['in_app', 'push', 'email'] as const

/** Accounts, follows, blocks, reviews, reports, searches: a minimal [API 7.4], 10, 12 and 15. */
export class Social {
  readonly #accounts = new Map<string, Account>()
  readonly #nextId: () => string
  readonly #most: number
  readonly reports: { readonly user: string; readonly message: string }[] = []
  /** `LISTING TS` of each view. */
  readonly views: string[] = []
  #touched = 0

  /** `most`: rows of a page at most. */
  constructor(nextId: () => string, most: number) {
    this.#nextId = nextId
    this.#most = most
  }

  of(user: string): Account {
    const known = this.#accounts.get(user) ?? {
      following: new Set(),
      blocked: new Set(),
      profile: new Map(),
      preferences: new Map(),
      reviews: new Map(),
      searches: new Map(),
      notices: [],
    }
    this.#accounts.set(user, known)
    return known
  }

  notify(user: string, id: string, shown: Readonly<Record<string, unknown>>): void {
    this.of(user).notices.push({ id, shown, read: false, touched: ++this.#touched })
  }

  /** Calls open to visitors; a bad token is refused where it is not ignored [API 1.1]. */
  open(call: string, body: Body, user: string, badToken: boolean): Answer | null {
    if (call === 'POST reports' && !badToken) {
      this.reports.push({ user, message: String(body['message']) })
      return { status: 201, body: { id: this.#nextId(), status: 'received', detail: '' } }
    }
    if (call === 'POST events track') {
      const events = Array.isArray(body['events']) ? body['events'] : [body]
      for (const one of events)
        this.views.push(
          `${String(Reflect.get(Object(one), 'listing_id'))} ${String(Reflect.get(Object(one), 'ts'))}`,
        )
      return { status: 204, body: null }
    }
    return null
  }

  answer(
    call: string,
    id: string,
    query: URLSearchParams,
    body: Body,
    user: string,
  ): Answer | null {
    const account = this.of(user)
    switch (call) {
      case 'GET auth':
        return { status: 200, body: this.shown(user) }
      case 'PATCH auth':
        for (const [name, value] of Object.entries(body)) account.profile.set(name, value)
        return { status: 200, body: this.shown(user) }
      case 'POST follow toggle':
        set(account.following, id, body['desired'] === true)
        return {
          status: 200,
          body: { user_id: id, following: account.following.has(id), followers_count: 1 },
        }
      case 'GET blocks':
        return { status: 200, body: { count: account.blocked.size, results: [] } }
      case 'POST blocks':
        account.blocked.add(String(body['user_id']))
        return { status: 201, body: { user_id: String(body['user_id']), blocked: true } }
      case 'DELETE blocks':
        return account.blocked.delete(id) ? nothing : gone
      case 'POST preferences':
        for (const channel of channels)
          for (const [way, on] of Object.entries(Object(body[channel])))
            account.preferences.set(`${channel} ${way}`, on === true)
        return { status: 200, body: preferencesOf(account) }
      case 'GET preferences':
        return { status: 200, body: preferencesOf(account) }
      case 'POST reviews': {
        const review = {
          id: this.#nextId(),
          rating: Number(body['rating']),
          comment: String(body['comment']),
        }
        account.reviews.set(String(body['seller_id']), review)
        return { status: 201, body: review }
      }
      case 'GET reviews':
        return { status: 200, body: { results: [], next: null, count: 0 } }
      case 'POST saved-searches':
        return this.#saveSearch(account, String(body['name']), JSON.stringify(body['params']))
      case 'GET saved-searches':
        return {
          status: 200,
          body: {
            count: account.searches.size,
            results: Array.from(account.searches.values(), (one) => ({
              ...one,
              params: JSON.parse(one.params) as unknown,
              alerts: 'off',
              new_count: 0,
              created_at: EARLY,
              last_run_at: null,
            })),
          },
        }
      case 'DELETE saved-searches':
        return account.searches.delete(id) ? nothing : gone
      case 'GET notifications':
        return { status: 200, body: this.#notices(account, query) }
      case 'POST notifications mark-read':
        for (const one of account.notices) if (one.id === id) this.#read(one)
        return { status: 200, body: { id, read: true, unread_count: unread(account) } }
      case 'POST notifications':
        return this.#readUpTo(account, String(body['up_to']))
      default:
        return null
    }
  }

  shown(user: string): Record<string, unknown> {
    return { id: user, username: user, counters: {}, ...Object.fromEntries(this.of(user).profile) }
  }

  /** The same params again return the old row [API 10.5]. */
  #saveSearch({ searches }: Account, name: string, params: string): Answer {
    const known = [...searches.values()].find((one) => one.params === params)
    const row = { id: known?.id ?? this.#nextId(), name, params }
    searches.set(row.id, row)
    return { status: known ? 200 : 201, body: { ...row, params: JSON.parse(params) as unknown } }
  }

  #read(one: ModelNotice): void {
    if (one.read) return
    one.read = true
    one.touched = ++this.#touched
  }

  #readUpTo(account: Account, upTo: string): Answer {
    const last = account.notices.findIndex(({ id }) => id === upTo)
    for (const one of account.notices.slice(0, last + 1)) this.#read(one)
    return { status: 200, body: { updated: 0, unread_count: unread(account), last_read_at: EARLY } }
  }

  /** Newest first; with `after`: rows touched since, oldest change first [API 12.1]. */
  #notices(account: Account, query: URLSearchParams): Record<string, unknown> {
    const after = query.get('after')
    const from = Number(after ?? 0)
    const most = Math.min(Number(query.get('page_size') ?? 20), this.#most)
    const all =
      after === null
        ? account.notices.toReversed()
        : account.notices
            .filter(({ touched }) => touched > from)
            .toSorted((a, b) => a.touched - b.touched)
    const rows = all.slice(0, most)
    const more = after !== null && all.length > most
    const cursor = after === null ? this.#touched : (rows.at(-1)?.touched ?? from)
    return {
      results: rows.map(({ shown, read }) => ({ ...shown, read })),
      next: more ? `/api/notifications/?after=${cursor}&page_size=${most}` : null,
      cursor: String(cursor),
      unread_count: unread(account),
    }
  }
}

const EARLY = '2026-01-01T00:00:00.000Z'
const nothing: Answer = { status: 204, body: null }
const gone: Answer = { status: 404, body: { detail: 'Introuvable.', code: 'not_found' } }

function unread({ notices }: Account): number {
  return notices.filter(({ read }) => !read).length
}

function set(names: Set<string>, name: string, wanted: boolean): void {
  if (wanted) names.add(name)
  else names.delete(name)
}

function preferencesOf({ preferences }: Account): Preferences {
  const of = (channel: string) => ({
    in_app: preferences.get(`${channel} in_app`) ?? true,
    push: preferences.get(`${channel} push`) ?? true,
    email: preferences.get(`${channel} email`) ?? true,
  })
  return {
    messages: of('messages'),
    announcements: of('announcements'),
    system: of('system'),
    quiet_hours: { enabled: false, start: '22:00', end: '07:00', timezone: 'UTC' },
  }
}

export { channels, ways }
