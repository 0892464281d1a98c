import type { EngineEvent } from '#schema/port/engine'
import { ModelNetwork } from './model/network.ts'
import { Device, type Tab } from './model/device.ts'
import { ModelServer } from './model/server.ts'
import { World } from './model/world.ts'

/** A device with a good network, until a test changes it. */
export class EngineHarness {
  readonly world: World
  readonly server: ModelServer
  readonly network: ModelNetwork
  readonly device: Device
  readonly notes: EngineEvent[] = []

  constructor(
    world = new World(11),
    server = new ModelServer(world, { keys: true, additions: true }),
    network = new ModelNetwork(world, server, { trouble: 0, troubles: [] }),
  ) {
    this.world = world
    this.server = server
    this.network = network
    this.device = new Device(world, network)
  }

  async open(token: string | null = null): Promise<Tab> {
    const tab = this.device.open(token, (note) => void this.notes.push(note))
    this.device.show(tab, true)
    await this.world.run(500)
    return tab
  }

  /** Signs in as the page does: ask, then set the session with the answer. */
  async signIn(tab: Tab, username: string): Promise<string> {
    const result = await this.when(
      tab.engine.ask({ name: 'account.login', params: { username, password: 'x' } }),
    )
    if (result.kind !== 'done') throw new Error(result.kind)
    const { token } = result.answer
    await this.enter(tab, token)
    return token
  }

  async enter(tab: Tab, token: string | null): Promise<void> {
    await this.when(tab.engine.setSession({ token, language: 'fr', sessionId: 'visitor-1' }))
    await this.world.run(2000)
  }

  async write(tab: Tab, content: string, listing = 'L1'): Promise<string> {
    const result = await this.when(
      tab.engine.send({
        id: this.world.id(),
        name: 'conversation.start',
        payload: { listing, content },
      }),
    )
    await this.world.run(3000)
    return result.kind === 'refused' ? result.code : result.kind
  }

  /** Advances virtual time until the promise settles. */
  async when<T>(answer: Promise<T>): Promise<T> {
    let done = false
    const marked = answer.finally(() => (done = true))
    await this.world.run(60_000, () => done)
    return marked
  }

  sent(): string[] {
    return [...this.server.threads.values()].flatMap(({ messages }) =>
      messages.map(({ content }) => content),
    )
  }

  states(): string[] {
    return this.device.disk.state.entries.map(({ owner, state }) => `${owner} ${state}`)
  }
}
