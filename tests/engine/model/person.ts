import type { Phone, Tab } from './phone.ts'
import type { World } from './world.ts'

/** Who holds the phone, what they tapped last, and the story of it all. */
export class Person {
  readonly log: string[] = []
  /** Local storage: who is signed in. */
  token: string | null = null
  /** Empty: nobody. */
  user = ''
  readonly #world: World
  readonly #phone: Phone
  #count = 0
  #waits: Tab | null = null

  constructor(world: World, phone: Phone) {
    this.#world = world
    this.#phone = phone
  }

  /** A person taps again only when the app has answered; a tab that died never does. */
  get busy(): boolean {
    return this.#waits?.realm.alive === true
  }

  tapped(tab: Tab): void {
    this.#waits = tab
  }

  answered(): void {
    this.#waits = null
  }

  /** One of the tabs that are looked at. */
  front(): Tab | undefined {
    return this.#world.pick(this.#phone.tabs.filter(({ realm, visible }) => visible && !realm.frozen))
  }

  /** A number that stands in nothing written before. */
  next(): number {
    return ++this.#count
  }

  say(what: string): void {
    this.log.push(`${String(this.#world.now).padStart(9)} ${what}`)
  }
}
