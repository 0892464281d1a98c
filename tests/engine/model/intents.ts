import type { Command } from '#schema/port/command'
import type { OutboxState } from '#sync/outbox/state'
import type { Ledger } from './ledger.ts'
import type { Person } from './person.ts'
import type { Device, Tab } from './device.ts'
import { type ModelServer, SELLER } from './server.ts'
import { channels, ways } from './social.ts'
import type { World } from './world.ts'

/** A command that a person gave once, and its state. */
interface Intent {
  readonly id: string
  /** null: written by an earlier release, so it cannot be tapped again. */
  readonly command: Command | null
  readonly owner: string
  /** A later command about the same subject replaces the earlier one. */
  readonly subject: string
  readonly value: string
  /** The server's value when the command was given. */
  readonly before: string
  /** tapped: no answer yet · kept: answered "queued" · perhaps: removed, or its tab died. */
  state: 'tapped' | 'kept' | 'perhaps'
  readonly alive: () => boolean
}

/** Used only by the judge. */
const PEOPLE = ['U-kadi', 'U-omar', 'U-rose']
const NOT_YET = ''

/** Commands that set one value or one row on the server; in the end each must have its effect. */
export class Intents {
  readonly #world: World
  readonly #server: ModelServer
  readonly #device: Device
  readonly #ledger: Ledger
  readonly #person: Person
  readonly #exact: boolean
  readonly #all: Intent[] = []
  /** The clock jumped, so views may have been dropped as too old. */
  clockJumped = false

  constructor(
    world: World,
    server: ModelServer,
    device: Device,
    ledger: Ledger,
    person: Person,
    exact: boolean,
  ) {
    this.#world = world
    this.#server = server
    this.#device = device
    this.#ledger = ledger
    this.#person = person
    this.#exact = exact
  }

  follow(): void {
    const user = this.#world.pick(PEOPLE) ?? ''
    const following = !this.#person.sees(
      ({ name, payload }) => name === 'user.follow' && payload['user'] === user,
      'following',
      this.#server.social.of(this.#person.user).following.has(user),
    )
    this.#give(
      { id: this.#world.id(), name: 'user.follow', payload: { user, following } },
      `follow ${user}`,
      String(following),
    )
  }

  block(): void {
    const user = this.#world.pick(PEOPLE) ?? ''
    const blocked = !this.#person.sees(
      ({ name, payload }) => name === 'user.block' && payload['user'] === user,
      'blocked',
      this.#server.social.of(this.#person.user).blocked.has(user),
    )
    this.#give(
      { id: this.#world.id(), name: 'user.block', payload: { user, blocked } },
      `block ${user}`,
      String(blocked),
    )
  }

  profile(): void {
    const member = this.#world.pick(['shop_name', 'bio'] as const) ?? 'bio'
    const value = `${member} ${this.#person.next()}`
    this.#give(
      { id: this.#world.id(), name: 'account.edit', payload: { [member]: value } },
      `profile ${member}`,
      value,
    )
  }

  preferences(): void {
    const [channel, way] = [
      this.#world.pick(channels) ?? 'messages',
      this.#world.pick(ways) ?? 'push',
    ]
    const on = this.#last(`preference ${channel} ${way}`) === 'false'
    this.#give(
      { id: this.#world.id(), name: 'preferences.change', payload: { [channel]: { [way]: on } } },
      `preference ${channel} ${way}`,
      String(on),
    )
  }

  review(): void {
    const seller = this.#world.pick(PEOPLE) ?? ''
    const [rating, comment] = [1 + this.#world.below(5), `comment ${this.#person.next()}`]
    this.#give(
      { id: this.#world.id(), name: 'review.write', payload: { seller, rating, comment } },
      `review ${seller}`,
      `${rating} ${comment}`,
    )
  }

  report(): void {
    const message = `complaint ${this.#person.next()}`
    this.#give(
      {
        id: this.#world.id(),
        name: 'report.send',
        payload: { category: 'other', message, listing: null, user: SELLER },
      },
      `report ${message}`,
      'once',
    )
  }

  saveSearch(): void {
    const name = `watch ${this.#person.next()}`
    this.#give(
      { id: this.#world.id(), name: 'search.save', payload: { name, params: { q: name } } },
      `search ${name}`,
      'once',
    )
  }

  removeSearch(): void {
    const { user } = this.#person
    const row = this.#world.pick([...this.#server.social.of(user).searches.values()])
    if (row)
      this.#give(
        { id: this.#world.id(), name: 'search.remove', payload: { id: row.id } },
        `search ${row.name}`,
        NOT_YET,
      )
  }

  view(): void {
    const listing = this.#world.pick(['L1', 'L2', 'L3']) ?? 'L1'
    this.#give(
      { id: this.#world.id(), name: 'listing.viewed', payload: { listing, source: 'list' } },
      `view ${listing}`,
      'seen',
    )
  }

  readNotice(): void {
    const row = this.#world.pick([
      ...this.#device.documents.of(`of ${this.#person.user}`).notifications.values(),
    ])
    if (row)
      this.#give(
        { id: this.#world.id(), name: 'notification.read', payload: { id: row.id } },
        `notice ${row.id}`,
        'read',
      )
  }

  readNotices(): void {
    const [newest] = [
      ...this.#device.documents.of(`of ${this.#person.user}`).notifications.values(),
    ].toSorted((a, b) => a.newest - b.newest)
    if (newest)
      this.#give(
        { id: this.#world.id(), name: 'notification.readAll', payload: { upTo: newest.id } },
        `notices ${newest.id}`,
        'read',
      )
  }

  /** Records a command given under an earlier release. */
  had(id: string, owner: string, subject: string, value: string): void {
    this.#all.push({
      id,
      command: null,
      owner,
      subject,
      value,
      before: this.#value({ owner, subject }),
      state: 'kept',
      alive: () => true,
    })
  }

  knows(id: string): boolean {
    return this.#all.some((one) => one.id === id)
  }

  /** Gives a refused command again; false if `id` is not one of these. */
  again(tab: Tab, id: string): boolean {
    const intent = this.#all.find((one) => one.id === id)
    if (!intent?.command) return false
    void this.#tap(tab, { ...intent.command, id: this.#world.id() }, intent.subject, intent.value)
    return true
  }

  /** An entry was removed: the value before it may stay. */
  removed(id: string): void {
    for (const { owner, subject } of this.#all.filter((one) => one.id === id)) {
      for (const one of this.#all)
        if (one.owner === owner && one.subject === subject) one.state = 'perhaps'
    }
  }

  /** Resolves commands whose tab died before it answered: those on disk were given. */
  settle(): void {
    const { entries, meta } = this.#device.disk.state
    for (const one of this.#all) {
      if (one.state !== 'tapped' || one.alive()) continue
      one.state =
        meta.done.includes(one.id) || entries.some(({ id }) => id === one.id) ? 'kept' : 'perhaps'
    }
  }

  /** The device lost its data: commands that had not arrived may be lost. */
  lost(): void {
    for (const one of this.#all) if (!this.#isSo(one)) one.state = 'perhaps'
  }

  judge(): void {
    const subjects = Map.groupBy(this.#all, ({ owner, subject }) => `${owner} ${subject}`)
    for (const intents of subjects.values()) {
      const last = intents.findLastIndex(({ state }) => state === 'kept')
      const allowed = last === -1 ? intents : intents.slice(last)
      const [one] = intents
      if (
        !one ||
        allowed.some((intent) => this.#isSo(intent)) ||
        (last === -1 && this.#value(one) === one.before)
      )
        continue
      if (one.subject.startsWith('view') && this.clockJumped) continue
      this.#ledger.wrong(
        `${one.owner} asked for ${one.subject}: ` +
          allowed.map(({ value, state }) => `${value} (${state})`).join(', ') +
          `; it is ${this.#value(one)}`,
      )
    }
    for (const { user, message } of this.#server.social.reports) {
      const times = this.#server.social.reports.filter((one) => one.message === message).length
      // A report given again while the refused one was shown may be sent twice.
      if (
        times > this.#all.filter((one) => one.subject === `report ${message}`).length &&
        this.#exact
      )
        this.#ledger.wrong(`reported ${times} times: ${message}`)
      if (!this.#all.some((one) => one.subject === `report ${message}`))
        this.#ledger.wrong(`nobody reported ${message} as ${user}`)
    }
  }

  #last(subject: string): string {
    return (
      this.#all.findLast((one) => one.owner === this.#person.user && one.subject === subject)
        ?.value ?? NOT_YET
    )
  }

  #give(command: Command, subject: string, value: string): void {
    const tab = this.#person.front()
    if (!tab || this.#person.busy) return
    void this.#tap(tab, command, subject, value)
  }

  async #tap(tab: Tab, command: Command, subject: string, value: string): Promise<void> {
    const person = this.#person
    const of = { owner: person.user, subject }
    const intent: Intent = {
      id: command.id,
      command,
      ...of,
      value,
      before: this.#value(of),
      state: 'tapped',
      alive: () => tab.realm.alive,
    }
    this.#all.push(intent)
    person.note(`${command.name} ${subject} ${value}`)
    const accepted = await person.send(
      tab,
      command,
      (state) => this.#isSo(intent) || isOnItsWay(state, command),
    )
    if (accepted === null) return
    if (accepted) intent.state = 'kept'
    else this.#all.splice(this.#all.indexOf(intent), 1)
  }

  #isSo(intent: Intent): boolean {
    return this.#value(intent) === intent.value
  }

  #value({ owner, subject }: Pick<Intent, 'owner' | 'subject'>): string {
    const [kind = '', name = '', way = ''] = subject.split(' ')
    const account = this.#server.social.of(owner)
    switch (kind) {
      case 'follow':
        return String(account.following.has(name))
      case 'block':
        return String(account.blocked.has(name))
      case 'profile':
        return textOf(account.profile.get(name))
      case 'preference':
        return String(account.preferences.get(`${name} ${way}`) ?? true)
      case 'review': {
        const review = account.reviews.get(name)
        return review ? `${review.rating} ${review.comment}` : NOT_YET
      }
      case 'report':
        return this.#server.social.reports.some((one) => `report ${one.message}` === subject)
          ? 'once'
          : NOT_YET
      case 'search':
        return [...account.searches.values()].some((one) => `search ${one.name}` === subject)
          ? 'once'
          : NOT_YET
      case 'view':
        return this.#server.social.views.some((one) => one.startsWith(name)) ? 'seen' : NOT_YET
      default: {
        const at = account.notices.findIndex(({ id }) => id === name)
        const meant =
          kind === 'notices'
            ? account.notices.slice(0, at + 1)
            : account.notices.filter(({ id }) => id === name)
        return meant.every(({ read }) => read) ? 'read' : NOT_YET
      }
    }
  }
}

function isOnItsWay({ entries }: OutboxState, { name, payload }: Command): boolean {
  return entries.some(
    (entry) =>
      entry.name === name &&
      JSON.stringify(entry.payload) === JSON.stringify(payload) &&
      entry.state !== 'refused',
  )
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : NOT_YET
}
