import type { Ledger } from './ledger.ts'
import type { Person } from './person.ts'
import type { Device, Tab } from './device.ts'
import type { ModelServer } from './server.ts'
import type { World } from './world.ts'

export const USERS = ['U-awa', 'U-issa']

export class Presence {
  readonly #world: World
  readonly #server: ModelServer
  readonly #device: Device
  readonly #ledger: Ledger
  readonly #person: Person
  /** A tab died before it answered: only what is on disk counts. */
  readonly #died: (tab: Tab) => void

  constructor(
    world: World,
    server: ModelServer,
    device: Device,
    ledger: Ledger,
    person: Person,
    died: (tab: Tab) => void,
  ) {
    this.#world = world
    this.#server = server
    this.#device = device
    this.#ledger = ledger
    this.#person = person
    this.#died = died
    // Another tab may adopt a visitor's entries before the tab that asked gets its answer.
    server.onSignIn = (user) => ledger.cameIn(user)
  }

  open(): void {
    if (this.#device.tabs.length >= (this.#device.memoryOnly ? 1 : 3)) return
    const tab = this.#device.open(this.#person.token, (note) => {
      if (note.kind === 'session-ended' && note.token === this.#person.token) this.#become(null, '')
    })
    this.#device.show(tab, true)
    this.#person.note(`open ${this.#device.tabs.length}`)
  }

  signIn(): void {
    const tab = this.#person.front()
    const user = this.#world.pick(USERS) ?? ''
    if (tab && !this.#person.busy && (this.#person.user === '' || this.#world.maybe(0.3)))
      void this.enterAs(tab, user)
  }

  async enterAs(tab: Tab, user: string): Promise<void> {
    this.#person.note(`sign in ${user}`)
    const result = await tab.engine.ask({
      name: 'account.login',
      params: { username: user, password: 'x' },
    })
    if (result.kind === 'done' && tab.realm.alive && !this.#person.busy)
      this.#become(result.answer.token, user)
  }

  signOut(): void {
    const tab = this.#person.front()
    const { user, busy } = this.#person
    // A tab that still opens shows nobody who could sign out.
    if (tab?.engine.session.who.value.me !== user || user === '' || busy) return
    this.#person.note('sign out')
    void tab.engine.ask({ name: 'account.logout', params: {} })
    this.#become(null, '')
  }

  #become(token: string | null, user: string): void {
    if (user !== '') this.#ledger.cameIn(user)
    this.#person.token = token
    this.#person.user = user
    for (const tab of this.#device.tabs)
      void tab.engine.setSession({ token, language: 'fr', sessionId: 'visitor-1' })
  }

  revoke(): void {
    const user = this.#world.pick(USERS) ?? ''
    this.#person.note(`revoke ${user}`)
    this.#server.revoke(user)
  }

  kill(): void {
    const tab = this.#world.pick(this.#device.tabs)
    if (!tab) return
    this.#person.note('kill')
    this.end(tab)
    if (this.#device.tabs.length === 0 && this.#world.maybe(0.7)) this.open()
  }

  end(tab: Tab): void {
    this.#device.kill(tab)
    this.#died(tab)
  }

  release(): void {
    if (this.#device.memoryOnly || this.#device.tabs.length >= 3) return
    this.#person.note('a new release')
    this.#device.grow()
    this.open()
  }

  freeze(): void {
    const tab = this.#world.pick(this.#device.tabs)
    if (!tab || this.#person.busy) return
    this.#person.note('freeze')
    tab.realm.freeze()
    this.#world.after(this.#world.below(120_000), () => tab.realm.thaw())
  }

  show(): void {
    const tab = this.#world.pick(this.#device.tabs)
    if (!tab) return
    this.#person.note(`${tab.visible ? 'hide' : 'show'} ${this.#device.tabs.indexOf(tab) + 1}`)
    this.#device.show(tab, !tab.visible)
  }
}
