import type { Ledger } from './ledger.ts'
import type { Person } from './person.ts'
import type { Phone, Tab } from './device.ts'
import type { ModelServer } from './server.ts'
import type { World } from './world.ts'

export const USERS = ['U-awa', 'U-issa']

export class Presence {
  readonly #world: World
  readonly #server: ModelServer
  readonly #phone: Phone
  readonly #ledger: Ledger
  readonly #person: Person
  /** A tab died before it answered: only what is on disk counts. */
  readonly #died: (tab: Tab) => void

  constructor(
    world: World,
    server: ModelServer,
    phone: Phone,
    ledger: Ledger,
    person: Person,
    died: (tab: Tab) => void,
  ) {
    this.#world = world
    this.#server = server
    this.#phone = phone
    this.#ledger = ledger
    this.#person = person
    this.#died = died
  }

  open(): void {
    if (this.#phone.tabs.length >= (this.#phone.memoryOnly ? 1 : 3)) return
    const tab = this.#phone.open(this.#person.token, (note) => {
      if (note.kind === 'session-ended' && note.token === this.#person.token) this.#become(null, '')
    })
    this.#phone.show(tab, true)
    this.#person.say(`open ${this.#phone.tabs.length}`)
  }

  signIn(): void {
    const tab = this.#person.front()
    const user = this.#world.pick(USERS) ?? ''
    if (tab && !this.#person.busy && (this.#person.user === '' || this.#world.maybe(0.3)))
      void this.enterAs(tab, user)
  }

  async enterAs(tab: Tab, user: string): Promise<void> {
    this.#person.say(`sign in ${user}`)
    const said = await tab.engine.ask({
      name: 'account.login',
      params: { username: user, password: 'x' },
    })
    if (said.kind === 'done' && tab.realm.alive && !this.#person.busy)
      this.#become(said.answer.token, user)
  }

  signOut(): void {
    const tab = this.#person.front()
    const { user, busy } = this.#person
    // A tab that still opens shows nobody who could sign out.
    if (tab?.engine.session.who.value.me !== user || user === '' || busy) return
    this.#person.say('sign out')
    void tab.engine.ask({ name: 'account.logout', params: {} })
    this.#become(null, '')
  }

  #become(token: string | null, user: string): void {
    if (user !== '') this.#ledger.cameIn(user)
    this.#person.token = token
    this.#person.user = user
    for (const tab of this.#phone.tabs)
      void tab.engine.setSession({ token, language: 'fr', sessionId: 'visitor-1' })
  }

  revoke(): void {
    const user = this.#world.pick(USERS) ?? ''
    this.#person.say(`revoke ${user}`)
    this.#server.revoke(user)
  }

  kill(): void {
    const tab = this.#world.pick(this.#phone.tabs)
    if (!tab) return
    this.#person.say('kill')
    this.end(tab)
    if (this.#phone.tabs.length === 0 && this.#world.maybe(0.7)) this.open()
  }

  end(tab: Tab): void {
    this.#phone.kill(tab)
    this.#died(tab)
  }

  release(): void {
    if (this.#phone.memoryOnly || this.#phone.tabs.length >= 3) return
    this.#person.say('a new release')
    this.#phone.grow()
    this.open()
  }

  freeze(): void {
    const tab = this.#world.pick(this.#phone.tabs)
    if (!tab || this.#person.busy) return
    this.#person.say('freeze')
    tab.realm.freeze()
    this.#world.after(this.#world.below(120_000), () => tab.realm.thaw())
  }

  show(): void {
    const tab = this.#world.pick(this.#phone.tabs)
    if (!tab) return
    this.#person.say(`${tab.visible ? 'hide' : 'show'} ${this.#phone.tabs.indexOf(tab) + 1}`)
    this.#phone.show(tab, !tab.visible)
  }
}
