import type { WebSocket, RawData } from 'ws'
import { HEARTBEAT_MS, SOCKET_SILENCE_MS } from '#schema/limits'
import { CLOSE, type ClientFrame, type ServerControl } from '#schema/wire/socket'
import type { Caller } from '../route/index.ts'
import { newId } from '../ids.ts'
import type { ConversationReads, LiveServices } from './context.ts'
import { count, countRubbish, readFrame, type Budget } from './frames.ts'
import type { Greeting } from './handshake.ts'
import type { Hub, Listener } from './hub.ts'
import { endOf, resumption } from './resume.ts'
import type { Presence } from './presence.ts'

export type Around = Readonly<{
  services: LiveServices
  reads: ConversationReads
  hub: Hub
  roll: Presence
  ticks(): number
  recognise(greeting: Greeting): Promise<Caller | number>
  enter(connection: Connection): Promise<void>
  forget(connection: Connection): void
}>

/** Unsent bytes of a client that does not read; it reconnects and resumes. */
const BUFFERED_MAX = 1024 * 1024

export class Connection implements Listener {
  readonly id = newId()
  readonly language: Listener['language']
  user = ''
  session = ''
  username = ''
  place: number | null = null
  visible = false
  receivedAt: number

  readonly #live: Around
  readonly #socket: WebSocket
  readonly #budget: Budget = { times: [], rubbish: 0 }
  /** Frames wait for the handshake, and then for each other. */
  #work: Promise<void>
  #resumed = false

  constructor(live: Around, socket: WebSocket, greeting: Greeting) {
    this.#live = live
    this.#socket = socket
    this.language = greeting.language
    this.receivedAt = live.ticks()
    socket.on('message', (data, isBinary) => this.#receive(data, isBinary))
    socket.on('ping', () => this.#touch())
    socket.on('error', () => undefined)
    socket.on('close', () => live.forget(this))
    this.#work = this.#guard(() => this.#greet(greeting))
  }

  send(text: string) {
    if (this.#socket.bufferedAmount > BUFFERED_MAX) this.close(CLOSE.overload)
    else if (this.#socket.readyState === this.#socket.OPEN) this.#socket.send(text)
  }

  close(code: number) {
    this.place = null
    this.#socket.close(code)
  }

  terminate() {
    this.#socket.terminate()
  }

  #sendControl(frame: ServerControl) {
    this.send(JSON.stringify(frame))
  }

  #touch() {
    this.receivedAt = this.#live.ticks()
  }

  /** The client reconnects. */
  async #guard(work: () => Promise<void>) {
    try {
      await work()
    } catch (error) {
      this.#live.services.log.error({ err: error }, 'a socket failed')
      this.close(1011)
    }
  }

  async #greet(greeting: Greeting) {
    const caller = await this.#live.recognise(greeting)
    if (typeof caller === 'number') return this.close(caller)
    this.user = caller.id
    this.username = caller.username
    this.session = caller.sessionId
    if (this.#socket.readyState !== this.#socket.OPEN) return
    await this.#live.enter(this)
    const { database, clock } = this.#live.services
    const end = await endOf(database.db, this.user)
    this.#sendControl({
      type: 'hello',
      server_time: clock().toISOString(),
      user_id: this.user,
      last_event_id: end.eventId,
      heartbeat_s: HEARTBEAT_MS / 1000,
      timeout_s: SOCKET_SILENCE_MS / 1000,
    })
    if (greeting.lastEventId === null) this.#listen(end.place)
    else await this.#resume(greeting.lastEventId)
  }

  #listen(place: number) {
    this.place = place
    this.#live.hub.wake([this.user])
  }

  #receive(data: RawData, isBinary: boolean) {
    this.#touch()
    const code = count(this.#budget, this.receivedAt)
    if (code !== null) return this.close(code)
    const read = readFrame(isBinary ? null : textOf(data))
    if (read === 'ignored') return
    if (read === 'rubbish') {
      const full = countRubbish(this.#budget)
      if (full !== null) this.close(full)
    } else if ('wrong' in read) this.#wrong(`invalid ${read.wrong} frame`)
    else if (read.frame.type === 'ping')
      this.#sendControl({
        type: 'pong',
        ...(read.frame.ts !== undefined && { ts: read.frame.ts }),
        server_time: this.#live.services.clock().toISOString(),
      })
    else this.#queue(read.frame)
  }

  #queue(frame: ClientFrame) {
    this.#work = this.#work.then(() => this.#guard(() => this.#handle(frame)))
  }

  async #handle(frame: ClientFrame) {
    if (this.#socket.readyState !== this.#socket.OPEN) return
    if (frame.type === 'resume') await this.#resume(frame.last_event_id)
    else if (frame.type === 'typing') await this.#typing(frame.conversation, frame.active)
    else if (frame.type === 'presence') await this.#present(frame.visible)
  }

  /** [API 14.2] Live events wait meanwhile; those already sent are sent again. */
  async #resume(lastEventId: string) {
    if (this.#resumed) return this.#wrong('resume comes once per socket')
    this.#resumed = true
    this.place = null
    const { database, clock } = this.#live.services
    const end = await endOf(database.db, this.user)
    const way = await resumption(database.db, this.user, lastEventId, end, clock())
    if (way.kind === 'resync')
      this.#sendControl({ type: 'resync', reason: way.reason, last_event_id: end.eventId })
    else {
      const replayed = await this.#live.hub.replay(this, way.after, way.until)
      this.#sendControl({ type: 'resumed', replayed, last_event_id: end.eventId })
    }
    this.#listen(end.place)
  }

  async #present(visible: boolean) {
    this.visible = visible
    await this.#live.roll.look(this.id, visible)
  }

  /** Unless one blocks the other; nothing is stored [API 11.7]. */
  async #typing(conversation: string, active: boolean) {
    const { services, reads, hub } = this.#live
    const peer = await reads.peer(services.database.db, this.user, conversation)
    if (peer === undefined) return this.#wrong('unknown conversation')
    if (peer === null) return
    hub.type(peer, {
      type: 'typing',
      conversation,
      from_user: { id: this.user, username: this.username },
      active,
    })
  }

  #wrong(detail: string) {
    this.#sendControl({ type: 'error', code: 'invalid', detail })
  }
}

function textOf(data: RawData) {
  if (Array.isArray(data)) return Buffer.concat(data).toString()
  return (data instanceof ArrayBuffer ? Buffer.from(data) : data).toString()
}
