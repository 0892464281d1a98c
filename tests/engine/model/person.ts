import { type Entry, isRemoved } from '#schema/disk/entry'
import type { Command } from '#schema/port/command'
import { isAccepted } from '#schema/port/outcome'
import type { OutboxState } from '#sync/outbox/state'
import { isBehind } from '#sync/outbox/transitions'
import type { Device, Tab } from './device.ts'
import type { World } from './world.ts'

/** Who uses the device, what they tapped last, and the log of the run. */
export class Person {
  readonly log: string[] = []
  readonly queued = new Map<string, number>()
  /** In local storage: the session's token. */
  token: string | null = null
  user = ''
  readonly #world: World
  readonly #device: Device
  readonly #wrong: (what: string) => void
  #count = 0
  #waits: Tab | null = null

  constructor(world: World, device: Device, wrong: (what: string) => void) {
    this.#world = world
    this.#device = device
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
    const result = await tab.engine.send(command)
    if (!tab.realm.alive) return null
    this.note(`  answered ${result.kind} ${command.id.slice(-4)}`)
    if (!isAccepted(result)) return false
    this.queued.set(command.name, (this.queued.get(command.name) ?? 0) + 1)
    const { state } = this.#device.disk
    const stands =
      result.kind === 'queued'
        ? hasRow(state, result.id)
        : state.meta.done.includes(command.id) || isSo(state)
    if (!stands)
      this.#wrong(
        `result "${result.kind}", and nothing of it is: ${command.name} ${JSON.stringify(command.payload)}`,
      )
    return true
  }

  front(): Tab | undefined {
    return this.#world.pick(
      this.#device.tabs.filter(({ realm, visible }) => visible && !realm.frozen),
    )
  }

  /** What the screen shows of a toggle: its last entry that was not refused, else the server's. */
  sees(isAbout: (entry: Entry) => boolean, member: string, onServer: boolean): boolean {
    const last = this.#device.disk.state.entries.findLast(
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

  note(what: string): void {
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
