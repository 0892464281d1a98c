import type { Note } from '#schema/port/engine'
import { Air } from './model/air.ts'
import { Phone, type Tab } from './model/phone.ts'
import { ModelServer } from './model/server.ts'
import { World } from './model/world.ts'

/** A phone with a good network, until somebody says otherwise. */
export class Home {
  readonly world = new World(11)
  readonly server = new ModelServer(this.world, { keys: true, additions: true })
  readonly air = new Air(this.world, this.server, { trouble: 0, troubles: [] })
  readonly phone = new Phone(this.world, this.air)
  readonly notes: Note[] = []

  async open(token: string | null = null): Promise<Tab> {
    const tab = this.phone.open(token, (note) => void this.notes.push(note))
    this.phone.show(tab, true)
    await this.world.run(500)
    return tab
  }

  /** As the page does it: ask, then come in with what was answered. */
  async signIn(tab: Tab, username: string): Promise<string> {
    const said = await this.when(tab.engine.ask({ name: 'account.login', params: { username, password: 'x' } }))
    if (said.kind !== 'done') throw new Error(said.kind)
    const { token } = said.answer
    await this.when(tab.engine.enter({ token, language: 'fr', sessionId: 'visitor-1' }))
    await this.world.run(2000)
    return token
  }

  async write(tab: Tab, content: string, listing = 'L1'): Promise<string> {
    const said = await this.when(tab.engine.send({ id: this.world.id(), name: 'conversation.start', payload: { listing, content } }))
    await this.world.run(3000)
    return said.kind === 'refused' ? said.code : said.kind
  }

  /** Virtual time goes on until it is answered. */
  async when<T>(answer: Promise<T>): Promise<T> {
    let done = false
    const marked = answer.finally(() => (done = true))
    await this.world.run(60_000, () => done)
    return marked
  }

  sent(): string[] {
    return [...this.server.threads.values()].flatMap(({ messages }) => messages.map(({ content }) => content))
  }

  states(): string[] {
    return this.phone.disk.book.entries.map(({ owner, state }) => `${owner} ${state}`)
  }
}
