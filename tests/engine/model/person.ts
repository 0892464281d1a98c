import { type Entry, isRemoved } from '#schema/disk/entry'
import type { Command } from '#schema/port/command'
import { isAccepted } from '#schema/port/outcome'
import type { OutboxState } from '#sync/outbox/state'
import { isBehind } from '#sync/outbox/transitions'
import type { Phone, Tab } from './device.ts'
import type { World } from './world.ts'

/** Who uses the device, what they tapped last, and the log of the run. */
export class Person {
  readonly log: string[] = []
  readonly queued = new Map<string, number>()
  /** In local storage: the session's token. */
  token: string | null = null
  user = ''
  readonly #world: World
  readonly #phone: Phone
  readonly #wrong: (what: string) => void
  #count = 0
  #waits: Tab | null = null

  constructor(world: World, phone: Phone, wrong: (what: string) => void) {
    this.#world = world
    this.#phone = phone
    this.#wrong = wrong
  }

  /** True until the app has answered the last tap, or its tab died. */
  get busy(): boolean {
    return this.#waits?.realm.alive === true
  }

  tapped(tab: Tab): void {
    this.#waits = tab
  }

  answered(): void {
    this.#waits = null
  }

  /**
   * Sends a command: whether it was accepted; null: the tab died first. "Queued" counts only with a
   * row in the outbox, "done" only if `isSo`.
   */
  async send(
    tab: Tab,
    command: Command,
    isSo?: (state: OutboxState) => boolean,
  ): Promise<boolean | null> {
    this.tapped(tab)
    const taken = await this.pass(tab, command, isSo)
    if (taken !== null) this.answered()
    return taken
  }

  /** The same for commands that the app sends by itself, independent of taps. */
  async pass(
    tab: Tab,
    command: Command,
    isSo: (state: OutboxState) => boolean = () => false,
  ): Promise<boolean | null> {
    const said = await tab.engine.send(command)
    if (!tab.realm.alive) return null
    this.say(`  said ${said.kind} ${command.id.slice(-4)}`)
    if (!isAccepted(said)) return false
    this.queued.set(command.name, (this.queued.get(command.name) ?? 0) + 1)
    const { state } = this.#phone.disk
    const stands =
      said.kind === 'queued'
        ? hasRow(state, said.id)
        : state.meta.done.includes(command.id) || isSo(state)
    if (!stands)
      this.#wrong(
        `said "${said.kind}", and nothing of it is: ${command.name} ${JSON.stringify(command.payload)}`,
      )
    return true
  }

  front(): Tab | undefined {
    return this.#world.pick(
      this.#phone.tabs.filter(({ realm, visible }) => visible && !realm.frozen),
    )
  }

  /** What the screen shows of a toggle: its last entry that was not refused, else the server's. */
  sees(isAbout: (entry: Entry) => boolean, member: string, onServer: boolean): boolean {
    const last = this.#phone.disk.state.entries.findLast(
      (entry) =>
        entry.owner === this.user &&
        (entry.state !== 'refused' || isBehind(entry)) &&
        !isRemoved(entry) &&
        isAbout(entry),
    )
    return last ? last.payload[member] === true : onServer
  }

  /** A number that no earlier text contains. */
  next(): number {
    return ++this.#count
  }

  say(what: string): void {
    this.log.push(`${String(this.#world.now).padStart(9)} ${what}`)
  }
}

/** A retry budget is used up, and the person decides whether it continues (decision 096). */
export function isAskedAbout({ problem }: Pick<Entry, 'problem'>): boolean {
  return problem?.code === 'retry_data' || problem?.code === 'retry_time'
}

/** True if it waits, is parked visibly, or was done already. */
export function hasRow({ entries, meta }: OutboxState, id: string): boolean {
  return entries.some((entry) => entry.id === id) || meta.done.includes(id)
}
