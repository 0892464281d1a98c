import { CURSOR_STEP_BACK_MS, PAGE_SIZE, PAGE_SIZE_MAX } from '#schema/limits'
import type { SocketCallbacks } from '#sync/outside'
import { detailOf, edited, type ModelListing, reordered } from './listings.ts'
import { Social } from './social.ts'
import type { World } from './world.ts'

export interface Answer {
  readonly status: number
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** A request whose body was read. */
export interface Sent {
  readonly method: string
  /** From the root, with the query. */
  readonly path: string
  readonly headers: Headers
  readonly body: string | FormData | null
  readonly signal: AbortSignal
}

export interface ModelMessage {
  readonly id: string
  readonly seq: number
  readonly sender: string
  readonly content: string
  readonly photo: string | null
  readonly key: string | null
  readonly at: number
}

interface Thread {
  readonly id: string
  readonly listing: string
  readonly buyer: string
  readonly messages: ModelMessage[]
  readonly read: Map<string, number>
  changed: number
}

/** Owner of every listing of other people; answers now and then. */
export const SELLER = 'U-seller'
/** A message with this word is refused until its writer changes it. */
export const FORBIDDEN = 'forbidden'

export interface Manners {
  /** It implements [API 2]: one key, one effect, for ever. */
  readonly keys: boolean
  /** It accepts the first message when a conversation begins, and echoes client ids [API 11.1]. */
  readonly additions: boolean
  /** Most rows of a page, so that lists take several pages. */
  readonly page?: number
}

/** A minimal implementation of the API: the reference of every run. */
export class ModelServer {
  readonly #world: World
  readonly #manners: Manners
  onSignIn: (user: string) => void = () => undefined
  readonly #tokens = new Map<string, string>()
  readonly #stored = new Map<string, { readonly print: string; readonly answer: Answer }>()
  readonly threads = new Map<string, Thread>()
  readonly favourites = new Map<string, Set<string>>()
  readonly listings = new Map<string, ModelListing>()
  readonly deleted: ModelListing[] = []
  readonly social: Social
  readonly #uploads = new Map<
    string,
    { readonly user: string; readonly photo: string; used: boolean }
  >()
  /** Photo of each upload: one that is here twice was sent twice. */
  readonly uploaded: string[] = []
  forgot = false
  readonly #log: {
    readonly id: string
    readonly user: string
    readonly event: Record<string, unknown>
  }[] = []
  readonly #sockets = new Set<{ readonly user: string; readonly callbacks: SocketCallbacks }>()
  #ids = 0
  #changedAt = 0

  constructor(world: World, manners: Manners) {
    this.#world = world
    this.#manners = manners
    this.social = new Social(() => `S-${++this.#ids}`, manners.page ?? PAGE_SIZE_MAX)
  }

  signIn(user: string): string {
    const token = `T-${user}-${++this.#ids}`
    this.#tokens.set(token, user)
    return token
  }

  take(token: string, user: string): void {
    this.#tokens.set(token, user)
  }

  begin(id: string, listing: string, buyer: string): void {
    this.threads.set(id, {
      id,
      listing,
      buyer,
      messages: [],
      read: new Map(),
      changed: this.#world.now,
    })
  }

  thread(id: string): Thread {
    const thread = this.threads.get(id)
    if (!thread) throw new Error(id)
    return thread
  }

  addMessage(thread: string, user: string, content: string, key: string): void {
    this.#add(this.thread(thread), user, { content, photo: null }, key)
  }

  knows(token: string): boolean {
    return this.#tokens.has(token)
  }

  revoke(user: string): void {
    for (const [token, owner] of this.#tokens) if (owner === user) this.#tokens.delete(token)
    for (const socket of Array.from(this.#sockets))
      if (socket.user === user) this.hangUp(socket, 4401)
  }

  handle(request: Sent): Answer {
    const { status, body, headers } = this.#handle(request)
    return {
      status,
      body,
      headers: { ...headers, date: new Date(EPOCH + this.#world.now).toUTCString() },
    }
  }

  #handle(request: Sent): Answer {
    const [path = '', query = ''] = request.path.split('?')
    const parts = partsOf(path)
    const given = request.headers.get('authorization')
    const user = given === null ? null : (this.#tokens.get(given.replace('Token ', '')) ?? null)
    if (parts[0] === 'ping') return { status: 204, body: null }
    if (parts[1] === 'login') {
      const username = textOf(bodyOf(request)['username'])
      this.onSignIn(username)
      return ok({ token: this.signIn(username), user: this.social.shown(username) })
    }
    if (parts[1] === 'logout' && user !== null) {
      this.#tokens.delete(given?.replace('Token ', '') ?? '')
      return { status: 204, body: null }
    }
    const body = bodyOf(request)
    const refused = {
      status: 401,
      body: { detail: 'no', code: given === null ? 'not_authenticated' : 'token_invalid' },
    }
    const answered = (): Answer =>
      this.social.open(callOf(request), body, user ?? '', user === null && given !== null) ??
      (user === null
        ? refused
        : this.#answer(request.method, parts, new URLSearchParams(query), body, user))
    const key = request.headers.get('idempotency-key')
    if (request.method === 'GET' || key === null || !this.#manners.keys) return answered()
    const stored = this.#stored.get(`${user} ${key}`)
    const print = `${request.method} ${path} ${JSON.stringify(body)}`
    if (stored)
      return stored.print === print
        ? stored.answer
        : { status: 422, body: { detail: 'other', code: 'idempotency_key_reused' } }
    const answer = answered()
    if (answer.status < 300) this.#stored.set(`${user} ${key}`, { print, answer })
    return answer
  }

  #answer(
    method: string,
    [noun, id = '', verb = '']: readonly string[],
    query: URLSearchParams,
    body: Record<string, unknown>,
    user: string,
  ): Answer {
    const field = (name: string): string => textOf(body[name])
    const social = this.social.answer(nameOf(method, noun ?? '', verb), id, query, body, user)
    if (social) return social
    switch (nameOf(method, noun ?? '', verb)) {
      case 'DELETE auth':
        this.revoke(user)
        return { status: 204, body: null }
      case 'POST auth':
        return { status: 204, body: null }
      case 'GET favorites':
        return ok({ results: [...this.#saved(user)].map(favourite), next: null })
      case 'POST favorites':
        this.#saved(user).add(field('listing_id'))
        return { status: 201, body: favourite(field('listing_id')) }
      case 'DELETE favorites':
        this.#saved(user).delete(id)
        return { status: 204, body: null }
      case 'GET conversations':
        return id === ''
          ? ok(this.#conversations(user, query))
          : this.#thread(id, user, (thread) => ok(this.#shown(thread, user)))
      case 'GET profile':
        return ok(
          this.#pageOf(
            [...this.listings.values()]
              .filter(({ owner }) => owner === user)
              .toReversed()
              .map((listing) => this.#detail(listing)),
            'profile/my-listings',
            query,
          ),
        )
      case 'POST uploads':
        return this.#upload(field('file'), user)
      case 'DELETE uploads':
        return { status: 204, body: null }
      case 'POST listings':
        return this.#publish(body, user)
      case 'GET listings':
        // It lists no listings of others.
        if (id === '')
          return ok({
            results: [],
            next: null,
            count: 0,
            missing: (query.get('ids') ?? '').split(','),
          })
        return this.#listing(id, user, (listing) => ok(this.#detail(listing)))
      case 'PATCH listings':
        return this.#listing(id, user, (listing) => this.#edit(listing, body, user))
      case 'PATCH listings reorder-images':
        return this.#listing(id, user, (listing) => {
          reordered(listing, Array.isArray(body['image_ids']) ? body['image_ids'] : [])
          return ok({ id, version: listing.version, images: this.#detail(listing)['images'] })
        })
      case 'POST listings quick-toggle':
        return this.#listing(id, user, (listing) => {
          listing.flags.set(field('action'), body['desired'] === true)
          return ok({ id, action: field('action'), changed: true, listing: this.#detail(listing) })
        })
      case 'POST listings reactivate':
        return this.#listing(id, user, (listing) => {
          listing.reactivated.push(Number(body['add_days']))
          return ok(this.#detail(listing))
        })
      case 'DELETE listings':
        return this.#listing(id, user, (listing) => {
          this.listings.delete(listing.id)
          this.deleted.push(listing)
          return { status: 204, body: null }
        })
      case 'POST conversations':
        return id === 'start'
          ? this.#start(field('listing_id'), body['content'], body['client_id'], user)
          : notFound
      case 'GET conversations init':
        return this.#thread(id, user, (thread) =>
          ok({
            conversation: this.#shown(thread, user),
            messages: this.#page(thread, user, new URLSearchParams()),
            listing: null,
            quick_messages: [],
          }),
        )
      case 'GET conversations messages':
        return this.#thread(id, user, (thread) => ok(this.#page(thread, user, query)))
      case 'POST conversations messages':
        return this.#thread(id, user, (thread) =>
          this.#post(
            thread,
            user,
            { content: field('content'), photo: field('attachment') || null },
            body['client_id'],
          ),
        )
      case 'POST conversations mark-read':
        return this.#thread(id, user, (thread) => {
          const upTo = Math.min(Number(body['up_to'] ?? 0), thread.messages.length)
          if (upTo > (thread.read.get(user) ?? 0))
            this.#changed(thread, () => thread.read.set(user, upTo))
          return ok({
            conversation: id,
            my_read_until: thread.read.get(user) ?? 0,
            unread_count: 0,
            unread_total: 0,
          })
        })
      default:
        return notFound
    }
  }

  #upload(photo: string, user: string): Answer {
    if (photo.includes(FORBIDDEN))
      return {
        status: 400,
        body: {
          detail: 'no',
          code: 'validation_error',
          field_codes: { file: [{ code: 'image_unreadable' }] },
        },
      }
    const id = `P-${++this.#ids}`
    this.#uploads.set(id, { user, photo, used: false })
    this.uploaded.push(photo)
    return { status: 201, body: { id, upload_id: id, image: {} } }
  }

  #publish(body: Record<string, unknown>, user: string): Answer {
    const title = textOf(body['title'])
    const photos = this.#use(body, user)
    if ('status' in photos) return photos
    if (title.includes(FORBIDDEN)) {
      for (const { id } of photos) this.#free(id)
      return refusal
    }
    const listing: ModelListing = {
      id: `L-${++this.#ids}`,
      owner: user,
      title,
      images: photos,
      flags: new Map(),
      price: Number(body['price']),
      description: 'd',
      version: 1,
      imagesAt: 1,
      steps: [],
      reactivated: [],
      at: this.#world.now,
      key: textOf(body['client_id']),
    }
    this.listings.set(listing.id, listing)
    return { status: 201, body: this.#detail(listing) }
  }

  #edit(listing: ModelListing, fields: Record<string, unknown>, user: string): Answer {
    const { base_version: base, ...body } = fields
    const photos = this.#use(body, user)
    if ('status' in photos) return photos
    // A simpler server has no versions.
    const answer = edited(
      listing,
      this.#manners.additions ? { ...body, base_version: base } : body,
      photos,
      'device',
      () => this.#detail(listing),
    )
    if (answer.status !== 200) for (const { id } of photos) this.#free(id)
    return answer
  }

  editElsewhere(listing: ModelListing, body: Record<string, unknown>): void {
    edited(listing, body, [], 'elsewhere', () => ({}))
  }

  /** Marks the uploads that a body names as used; or an error answer if one cannot be used. */
  #use(
    body: Record<string, unknown>,
    user: string,
  ): readonly { readonly id: string; readonly photo: string }[] | Answer {
    const ids = Array.isArray(body['uploaded_image_ids'])
      ? body['uploaded_image_ids'].map(String)
      : []
    const gone = ids.filter(
      (id) => this.#uploads.get(id)?.used !== false || this.#uploads.get(id)?.user !== user,
    )
    if (gone.length > 0)
      return {
        status: 400,
        body: {
          detail: 'no',
          code: 'validation_error',
          field_codes: {
            uploaded_image_ids: gone.map((upload) => ({
              code: 'upload_not_found',
              upload_id: upload,
            })),
          },
        },
      }
    return ids.map((id) => {
      const upload = this.#uploads.get(id)
      if (upload) upload.used = true
      return { id, photo: upload?.photo ?? '' }
    })
  }

  /** Whether it would refuse a listing with this upload. */
  lacks(upload: string): boolean {
    return this.#uploads.get(upload)?.used !== false
  }

  #free(id: string): void {
    const upload = this.#uploads.get(id)
    if (upload) upload.used = false
  }

  /** Uploads expire after seven days. */
  forgetUploads(): void {
    this.forgot = true
    for (const upload of this.#uploads.values()) upload.used = true
  }

  #listing(id: string, user: string, then: (listing: ModelListing) => Answer): Answer {
    const listing = this.listings.get(id)
    return listing?.owner === user
      ? then(listing)
      : { status: 404, body: { detail: 'no', code: 'listing_not_found' } }
  }

  #detail(listing: ModelListing): Record<string, unknown> {
    return detailOf(
      listing,
      person(listing.owner),
      iso(listing.at),
      iso(this.#world.now + listing.version),
      this.#manners.additions,
    )
  }

  sellerWrites(thread: Thread, content: string): void {
    this.#add(thread, SELLER, { content, photo: null }, null)
  }

  #start(listing: string, content: unknown, clientId: unknown, user: string): Answer {
    const known = [...this.threads.values()].find(
      (thread) => thread.listing === listing && thread.buyer === user,
    )
    if (typeof content === 'string' && content.includes(FORBIDDEN) && this.#manners.additions)
      return refusal
    const thread: Thread = known ?? {
      id: `C-${++this.#ids}`,
      listing,
      buyer: user,
      messages: [],
      read: new Map(),
      changed: this.#world.now,
    }
    this.threads.set(thread.id, thread)
    if (!this.#manners.additions || typeof content !== 'string')
      return { status: known ? 200 : 201, body: this.#shown(thread, user) }
    const message = this.#add(thread, user, { content, photo: null }, clientId)
    return {
      status: known ? 200 : 201,
      body: { ...this.#shown(thread, user), message: this.#messageBody(message, thread, user) },
    }
  }

  #post(
    thread: Thread,
    user: string,
    input: Pick<ModelMessage, 'content' | 'photo'>,
    clientId: unknown,
  ): Answer {
    if (input.content.includes(FORBIDDEN)) return refusal
    return {
      status: 201,
      body: this.#messageBody(this.#add(thread, user, input, clientId), thread, user),
    }
  }

  #add(
    thread: Thread,
    sender: string,
    input: Pick<ModelMessage, 'content' | 'photo'>,
    clientId: unknown,
  ): ModelMessage {
    const message = {
      id: `M-${++this.#ids}`,
      seq: thread.messages.length + 1,
      sender,
      ...input,
      key: typeof clientId === 'string' ? clientId : null,
      at: this.#world.now,
    }
    this.#changed(
      thread,
      () => thread.messages.push(message),
      (user) =>
        user === sender
          ? {}
          : {
              event: 'message.created',
              id: `N-${message.id}-${user}`,
              message: this.#messageBody(message, thread, user),
            },
    )
    return message
  }

  /** Applies the change and emits it to both sides, like one transaction. */
  #changed(
    thread: Thread,
    change: () => void,
    more: (user: string) => Record<string, unknown> = () => ({}),
  ): void {
    change()
    // Timestamps of changes are unique: merging and pagination rely on them.
    this.#changedAt = Math.max(this.#world.now, this.#changedAt + 1)
    thread.changed = this.#changedAt
    for (const user of [thread.buyer, SELLER]) {
      const id = `E-${++this.#ids}`
      const extra = more(user)
      const notice = extra['id']
      if (typeof notice === 'string')
        this.social.notify(user, notice, {
          id: notice,
          event: extra['event'],
          event_id: id,
          ts: iso(this.#world.now),
          title: '',
          message: '',
          conversation_id: thread.id,
          listing_id: thread.listing,
          tag: `conversation:${thread.id}`,
          severity: 'info',
          meta: { count: 1 },
        })
      const event = {
        event: 'conversation.updated',
        id: null,
        message: '',
        tag: `conversation:${thread.id}`,
        ...extra,
        event_id: id,
        ts: iso(this.#world.now),
        conversation: this.#shown(thread, user),
        conversation_id: thread.id,
        listing_id: thread.listing,
      }
      this.#log.push({ id, user, event })
      for (const socket of this.#sockets)
        if (socket.user === user) socket.callbacks.onMessage(JSON.stringify(event))
    }
  }

  /** A socket of [API 14], without network latency. */
  connect(
    path: string,
    callbacks: SocketCallbacks,
  ): { readonly user: string; readonly callbacks: SocketCallbacks } | null {
    const query = new URLSearchParams(path.split('?')[1])
    const user = this.#tokens.get(query.get('token') ?? '')
    if (user === undefined) {
      callbacks.onClose(4401)
      return null
    }
    const mine = this.#log.filter((one) => one.user === user)
    const last = mine.at(-1)?.id ?? null
    const from = query.get('last_event_id')
    callbacks.onMessage(
      JSON.stringify({
        type: 'hello',
        server_time: iso(this.#world.now),
        user_id: user,
        last_event_id: last,
        heartbeat_s: 25,
        timeout_s: 60,
      }),
    )
    if (from !== null) {
      const at = mine.findIndex((one) => one.id === from)
      if (at === -1)
        callbacks.onMessage(
          JSON.stringify({ type: 'resync', reason: 'unknown_event', last_event_id: last }),
        )
      else {
        for (const { event } of mine.slice(at + 1)) callbacks.onMessage(JSON.stringify(event))
        callbacks.onMessage(
          JSON.stringify({ type: 'resumed', replayed: mine.length - at - 1, last_event_id: last }),
        )
      }
    }
    const socket = { user, callbacks }
    this.#sockets.add(socket)
    return socket
  }

  hangUp(
    socket: { readonly user: string; readonly callbacks: SocketCallbacks },
    code: number,
  ): void {
    if (this.#sockets.delete(socket)) socket.callbacks.onClose(code)
  }

  #saved(user: string): Set<string> {
    const saved = this.favourites.get(user) ?? new Set()
    this.favourites.set(user, saved)
    return saved
  }

  #of(user: string): Thread[] {
    return [...this.threads.values()].filter((thread) => thread.buyer === user || user === SELLER)
  }

  #thread(id: string, user: string, then: (thread: Thread) => Answer): Answer {
    const thread = this.threads.get(id)
    return thread && (thread.buyer === user || user === SELLER) ? then(thread) : notFound
  }

  /** Pages by sequence number: newest first, with `after` oldest first [API 11.4]. */
  #page(thread: Thread, user: string, query: URLSearchParams): Record<string, unknown> {
    const [after, before] = [query.get('after'), query.get('before')]
    const all =
      after === null
        ? thread.messages.filter(({ seq }) => before === null || seq < Number(before)).toReversed()
        : thread.messages.filter(({ seq }) => seq > Number(after))
    const most = this.#most(query)
    const rows = all.slice(0, most)
    return {
      next:
        all.length > most
          ? `/api/conversations/${thread.id}/messages/` +
            `?${after === null ? 'before' : 'after'}=${rows.at(-1)?.seq}&page_size=${most}`
          : null,
      results: rows.map((message) => this.#messageBody(message, thread, user)),
      last_seq: thread.messages.length,
      my_read_until: thread.read.get(user) ?? 0,
      peer_read_until: thread.read.get(user === SELLER ? thread.buyer : SELLER) ?? 0,
    }
  }

  /**
   * Newest first, with an offset cursor. With `updated_after`: oldest change first, from some
   * seconds before it [API 3].
   */
  #conversations(user: string, query: URLSearchParams): Record<string, unknown> {
    const after = query.get('updated_after')
    const seek = Number(query.get('seek') ?? (after === null ? Number.MAX_SAFE_INTEGER : 0))
    const since = after === null ? 0 : Number(after) - CURSOR_STEP_BACK_MS
    const all = this.#of(user).filter(({ changed }) =>
      after === null ? changed < seek : changed >= since && changed > seek,
    )
    const sorted = all.toSorted((a, b) =>
      after === null ? b.changed - a.changed : a.changed - b.changed,
    )
    const rows = sorted.slice(0, this.#most(query))
    const last = rows.at(-1)?.changed
    const next =
      sorted.length > rows.length
        ? `/api/conversations/?${after === null ? '' : `updated_after=${after}&`}seek=${last}`
        : null
    // A simpler server has no deltas [API 19].
    const cursor = this.#manners.additions
      ? { cursor: String(after === null || next === null ? this.#world.now : (last ?? after)) }
      : {}
    return {
      results: rows.map((thread) => this.#shown(thread, user)),
      next,
      unread_total: 0,
      ...cursor,
    }
  }

  #most(query: URLSearchParams): number {
    return Math.min(
      Number(query.get('page_size') ?? PAGE_SIZE),
      this.#manners.page ?? PAGE_SIZE_MAX,
    )
  }

  #pageOf(rows: readonly unknown[], path: string, query: URLSearchParams): Record<string, unknown> {
    const [from, most] = [Number(query.get('from') ?? 0), this.#most(query)]
    return {
      results: rows.slice(from, from + most),
      next: rows.length > from + most ? `/api/${path}/?from=${from + most}` : null,
      count: rows.length,
    }
  }

  #shown(thread: Thread, user: string): Record<string, unknown> {
    const last = thread.messages.at(-1)
    const mine = thread.read.get(user) ?? 0
    return {
      id: thread.id,
      listing: {
        id: thread.listing,
        title: thread.listing,
        price: null,
        currency: 'XOF',
        image: null,
        status: 'active',
        seller_id: SELLER,
      },
      participants: [person(thread.buyer), person(SELLER)],
      unread_count: thread.messages.filter(({ seq, sender }) => sender !== user && seq > mine)
        .length,
      last_message: last ? this.#messageBody(last, thread, user) : null,
      last_seq: thread.messages.length,
      my_read_until: mine,
      peer_read_until: thread.read.get(user === SELLER ? thread.buyer : SELLER) ?? 0,
      can_send: true,
      cannot_send_reason: null,
      created_at: iso(0),
      updated_at: iso(thread.changed),
    }
  }

  #messageBody(message: ModelMessage, thread: Thread, user: string): Record<string, unknown> {
    const own = message.sender === user && this.#manners.additions
    return {
      id: message.id,
      conversation: thread.id,
      seq: message.seq,
      client_id: own ? message.key : null,
      content: message.content,
      sender_username: message.sender,
      sender_id: message.sender,
      attachment:
        message.photo === null ? null : { ...picture, id: message.photo.slice(0, -'.jpg'.length) },
      created_at: iso(message.at),
    }
  }
}

/** Server time (ms since 1970) at the beginning of a run. */
export const EPOCH = 1_780_000_000_000

export function iso(ms: number): string {
  return new Date(EPOCH + ms).toISOString()
}

/** The parts of a path that identify the call. */
function partsOf(path: string): string[] {
  return path
    .replace(/^\/api\//, '')
    .split('/')
    .filter((part) => part !== '')
}

/** The call of a request, without ids, such as `POST conversations messages`. */
export function callOf({ method, path }: Pick<Sent, 'method' | 'path'>): string {
  const [noun = '', second = '', third = ''] = partsOf(path.split('?')[0] ?? '')
  return noun === 'events'
    ? `${method} events track`
    : nameOf(
        method,
        noun,
        third === '' && noun === 'conversations' && second === 'start' ? 'start' : third,
      )
}

function nameOf(method: string, noun: string, verb: string): string {
  return `${method} ${noun}${verb === '' ? '' : ` ${verb}`}`
}

/** A photo as messages contain it [API 4.8]. */
const picture = {
  type: 'image',
  width: 640,
  height: 480,
  url: '/media/attachments/a/640.webp',
  base: '/media/attachments/a',
  widths: [640],
  formats: ['webp'],
  avif_widths: [],
  thumbhash: '',
  color: '#000000',
}
const notFound: Answer = { status: 404, body: { detail: 'Introuvable.', code: 'not_found' } }
const refusal: Answer = { status: 400, body: { detail: 'no', code: 'validation_error' } }

function bodyOf({ body }: Sent): Record<string, unknown> {
  if (body instanceof FormData)
    return Object.fromEntries(
      Array.from(body.entries(), ([name, value]) => [
        name,
        typeof value === 'string' ? value : value.name,
      ]),
    )
  const parsed: unknown = typeof body === 'string' ? JSON.parse(body) : {}
  return typeof parsed === 'object' && parsed !== null ? { ...parsed } : {}
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function ok(body: unknown): Answer {
  return { status: 200, body }
}

function favourite(listing: string): Record<string, unknown> {
  return { id: listing, listing_id: listing, created_at: iso(0) }
}

function person(id: string): Record<string, unknown> {
  return {
    id,
    username: id,
    shop_name: null,
    slug: id,
    avatar: null,
    verified_seller: false,
    deleted: false,
  }
}
