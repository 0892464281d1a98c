import type { Entry } from '#schema/disk/entry'
import type { Payload } from '#schema/port/command'
import type { SendResult } from '#schema/port/outcome'
import type { SocketConnection, SocketCallbacks } from '#sync/outside'
import { EngineHarness } from './harness.ts'
import { abortOf, ModelNetwork, answerOf, sizeOf } from './model/network.ts'
import type { Tab } from './model/device.ts'
import type { Realm } from './model/realm.ts'
import { type Answer, ModelServer, type Sent } from './model/server.ts'
import { World } from './model/world.ts'

export interface Called {
  readonly at: number
  /** Of the request's body. */
  readonly bytes: number
  readonly method: string
  readonly path: string
}

/** A network that counts its traffic, and in which a test injects faults. */
export class CountedNetwork extends ModelNetwork {
  readonly calls: Called[] = []
  readonly dials: number[] = []
  /** Answers instead of the server; null: the server answers. */
  instead: (call: Called) => Answer | 'silence' | null = () => null
  readonly #world: World

  constructor(world: World, server: ModelServer) {
    super(world, server, { trouble: 0, troubles: [] })
    this.#world = world
  }

  override async answer(realm: Realm, request: Sent): Promise<Response> {
    const call = {
      at: this.#world.now,
      bytes: sizeOf(request.body),
      method: request.method,
      path: request.path,
    }
    this.calls.push(call)
    const answer = this.state === 'there' ? this.instead(call) : null
    if (answer === 'silence') return abortOf(request)
    if (answer === null) return super.answer(realm, request)
    await realm.step(50)
    return answerOf(answer)
  }

  override openSocket(realm: Realm, path: string, callbacks: SocketCallbacks): SocketConnection {
    this.dials.push(this.#world.now)
    if (this.sockets === 'there') return super.openSocket(realm, path, callbacks)
    const end = realm.after(50, () =>
      this.sockets === 'deaf' ? callbacks.onOpen() : callbacks.onClose(1006),
    )
    return { send: () => undefined, close: end }
  }

  since(at: number): { readonly calls: readonly Called[]; readonly dials: number } {
    return {
      calls: this.calls.filter((call) => call.at >= at),
      dials: this.dials.filter((dialled) => dialled >= at).length,
    }
  }
}

export class CountedHarness extends EngineHarness {
  declare readonly network: CountedNetwork

  constructor({
    seed = 11,
    keys = true,
  }: { readonly seed?: number; readonly keys?: boolean } = {}) {
    const world = new World(seed)
    const server = new ModelServer(world, { keys, additions: keys })
    super(world, server, new CountedNetwork(world, server))
  }

  show(
    tab: Tab,
    page: {
      readonly visible?: boolean
      readonly messages?: boolean
      readonly saveData?: boolean
      readonly wifi?: boolean
    } = {},
  ): void {
    const { visible = true, messages = false, saveData = false, wifi = null } = page
    tab.visible = visible
    void tab.engine.ask({
      name: 'page.state',
      params: {
        visible,
        online: this.network.state !== 'gone',
        saveData,
        wifi,
        language: 'fr',
        messages,
      },
    })
  }

  async publish(tab: Tab, title: string, bytes = 250_000): Promise<string> {
    const [id, photo] = [this.world.id(), this.world.id()]
    this.device.disk.photos.set(photo, {
      id: photo,
      draft: id,
      owner: tab.engine.session.who.value.me,
      file: new Blob(['x'.repeat(bytes)]),
      bytes,
      width: 1600,
      height: 1200,
    })
    await this.#publish(tab, id, title, [{ id: photo, bytes, upload: null, round: 0 }])
    return id
  }

  publishAgain(tab: Tab, id: string, title: string): Promise<SendResult> {
    const photos = [...this.device.disk.photos.values()].filter(({ draft }) => draft === id)
    return this.#publish(
      tab,
      id,
      title,
      photos.map((photo) => ({ id: photo.id, bytes: photo.bytes, upload: null, round: 0 })),
    )
  }

  #publish(
    tab: Tab,
    id: string,
    title: string,
    photos: Payload<'listing.publish'>['photos'],
  ): Promise<SendResult> {
    const fields = {
      title,
      description: 'd',
      category: 'other',
      price: 1000,
      negotiable: false,
      region: 'centre',
      town: null,
      neighbourhood: null,
      location_note: null,
      contact_phone: null,
      specs: {},
    }
    return this.when(
      tab.engine.send({
        id,
        name: 'listing.publish',
        payload: { draft: id, fields, photos, wifiOnly: false },
      }),
    )
  }

  entry(id: string): Entry | undefined {
    return this.device.disk.state.entries.find((one) => one.id === id)
  }
}

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE

export const unavailable = (retryAfterS?: number): Answer => ({
  status: 503,
  body: { detail: 'no', code: 'service_unavailable' },
  ...(retryAfterS !== undefined && { headers: { 'retry-after': String(retryAfterS) } }),
})
export const limited = (retryAfterS: number): Answer => ({
  status: 429,
  body: { detail: 'wait', code: 'rate_limited', retry_after: retryAfterS },
  headers: { 'retry-after': String(retryAfterS) },
})
export const broken: Answer = { status: 500, body: { detail: 'no', code: 'server_error' } }
/** A proxy's error page while its server is down. */
export const page520: Answer = { status: 520, body: '<html>520</html>' }
