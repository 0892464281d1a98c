import type { Entry } from '#schema/disk/entry'
import { isForbidden, type Ledger, type Written } from './ledger.ts'
import type { OutboxState } from '#sync/outbox/state'
import type { Person } from './person.ts'
import { type Device, PHOTO_BYTES, type Tab } from './device.ts'
import { FORBIDDEN, type ModelServer } from './server.ts'
import type { World } from './world.ts'

const LISTINGS = ['L1', 'L2', 'L3']

/** A buyer's actions: messages to sellers, changes of waiting entries, reading, saving listings. */
export class Buying {
  readonly #world: World
  readonly #server: ModelServer
  readonly #device: Device
  readonly #ledger: Ledger
  readonly #person: Person
  readonly #exact: boolean
  #saving: { readonly tab: Tab; readonly owner: string; readonly listing: string } | null = null
  #editing: {
    readonly tab: Tab
    readonly id: string
    readonly old: string
    readonly content: string
  } | null = null

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

  /** `begin`: writes from the listing, even if a conversation exists. */
  write(begin: boolean): void {
    const person = this.#person
    const tab = person.front()
    if (!tab || person.user === '' || person.busy) return
    const listing = this.#world.pick(LISTINGS) ?? 'L1'
    const content = `${person.user} ${person.next()}${this.#world.maybe(0.06) ? ` ${FORBIDDEN}` : ''}`
    const known = this.#conversation(listing)
    const id = this.#world.id()
    const photo = this.#world.maybe(0.2)
    if (photo) this.#device.keepPhoto(id, id, person.user)
    const message = { content, ...(photo && { photo: { id, bytes: PHOTO_BYTES } }) }
    const command =
      known === null || begin
        ? ({ id, name: 'conversation.start', payload: { listing, ...message } } as const)
        : ({ id, name: 'message.send', payload: { conversation: known, ...message } } as const)
    const one: Written = {
      id,
      owner: person.user,
      listing,
      content,
      photo: photo ? `${id}.jpg` : null,
      older: [],
      asked: false,
      state: 'tapped',
      alive: () => tab.realm.alive,
      moved: isForbidden(content),
    }
    this.#ledger.messages.push(one)
    person.note(`${command.name} to ${listing}: ${content}${photo ? ' with a photo' : ''}`)
    void person.send(tab, command).then((accepted) => {
      if (accepted === true) one.state = 'kept'
      else if (accepted === false && one.state === 'tapped')
        this.#ledger.messages.splice(this.#ledger.messages.indexOf(one), 1)
    })
  }

  /** Records a message written under an earlier release. */
  had(
    id: string,
    owner: string,
    listing: string,
    content: string,
    more: Partial<Pick<Written, 'photo' | 'older' | 'moved'>>,
  ): void {
    this.#ledger.messages.push({
      id,
      owner,
      listing,
      content,
      photo: null,
      older: [],
      asked: false,
      state: 'kept',
      alive: () => true,
      moved: false,
      ...more,
    })
  }

  /** As the screen resolves it: the server's conversation, else the one begun here, else null. */
  #conversation(listing: string): string | null {
    const here = [
      ...this.#device.documents.of(`of ${this.#person.user}`).conversations.values(),
    ].filter((one) => one.listing.id === listing && one.movedTo === null)
    return (here.find(({ id }) => !id.startsWith('new-')) ?? here[0])?.id ?? null
  }

  save(): void {
    const person = this.#person
    const tab = person.front()
    if (!tab || person.busy) return
    const listing = this.#world.pick(LISTINGS) ?? 'L1'
    const owner = person.user
    const saved = !person.sees(
      ({ name, payload }) => name === 'listing.save' && payload['listing'] === listing,
      'saved',
      this.#server.favourites.get(owner)?.has(listing) === true,
    )
    person.note(`${saved ? 'save' : 'unsave'} ${listing} as ${owner}`)
    this.#saving = { tab, owner, listing }
    const payload = { listing, saved }
    const command = { id: this.#world.id(), name: 'listing.save', payload } as const
    const isSo = ({ entries }: OutboxState): boolean =>
      (this.#server.favourites.get(owner)?.has(listing) === true) === saved ||
      entries.some(
        (one) =>
          one.name === command.name && JSON.stringify(one.payload) === JSON.stringify(payload),
      )
    void person.send(tab, command, isSo).then((accepted) => {
      if (accepted === null) return
      this.#saving = null
      if (accepted) this.#ledger.setSaved(owner, listing, saved)
    })
  }

  readUpTo(): void {
    const person = this.#person
    const tab = person.front()
    const owner = person.user
    const thread = this.#world.pick([
      ...this.#device.documents.of(`of ${owner}`).conversations.values(),
    ])
    if (!tab || owner === '' || !thread || thread.last_seq === 0) return
    const [conversation, upTo] = [thread.id, thread.last_seq]
    person.note(`read ${conversation} up to ${upTo}`)
    void person
      .pass(tab, {
        id: this.#world.id(),
        name: 'conversation.read',
        payload: { conversation, upTo },
      })
      .then((accepted) => {
        // If somebody else signed in meanwhile, nothing was read.
        if (accepted && person.user === owner)
          this.#ledger.reads.push({ owner, conversation, upTo })
      })
  }

  amend(): void {
    const person = this.#person
    const tab = person.front()
    const waiting = this.#device.disk.state.entries.filter(
      ({ owner, name, state }) =>
        owner === person.user &&
        (name === 'message.send' || name === 'conversation.start') &&
        (state === 'waiting' || state === 'refused'),
    )
    // With idempotency keys an entry of unknown outcome is editable: prefer this hardest case.
    const doubtful = this.#exact ? waiting.filter(({ uncertain }) => uncertain) : []
    const entry = this.#world.pick(doubtful.length > 0 ? doubtful : waiting)
    if (!tab || !entry || person.user === '' || person.busy) return
    const one = this.#ledger.messages.find(({ id }) => id === entry.id)
    if (!one || one.state !== 'kept') return
    const how = this.#world.pick(
      doubtful.length > 0
        ? (['remove', 'edit', 'edit', 'edit', 'retry'] as const)
        : (['remove', 'edit', 'retry'] as const),
    )
    person.note(`${how} ${one.content}`)
    if (how === 'retry') return this.goOn(tab, entry)
    person.tapped(tab)
    if (how === 'edit') {
      const content = `${person.user} ${person.next()}`
      const old = one.content
      this.#editing = { tab, id: entry.id, old, content }
      void tab.engine
        .ask({ name: 'outbox.edit', params: { id: entry.id, content } })
        .then((result) => {
          person.answered()
          this.#editing = null
          if (result.kind !== 'done') one.content = old
        })
      // Until the edit is answered, the disk may hold either content.
      one.older.push(old)
      one.content = content
      one.moved = true
      return
    }
    const [before, untried] = [one.state, !entry.uncertain && entry.triedAt === 0]
    one.state = 'perhaps gone'
    void tab.engine.ask({ name: 'outbox.remove', params: { id: entry.id } }).then((result) => {
      person.answered()
      if (result.kind !== 'done') one.state = before
      else if (untried && tab.realm.alive && !this.#ledger.hasArrived(one)) one.state = 'gone'
    })
  }

  /** "Envoyer maintenant" or "Continuer": other entries may have overtaken a parked one. */
  goOn(tab: Tab, { id, state }: Entry): void {
    const one = this.#ledger.messages.find((message) => message.id === id)
    if (one && state === 'refused') one.moved = true
    void tab.engine.ask({ name: 'outbox.retry', params: { id } })
  }

  /** Sends a refused message again without the forbidden word. */
  mend(tab: Tab, { id, payload, problem }: Entry): void {
    const content = String(payload['content']).replaceAll(FORBIDDEN, 'allowed')
    this.#note(id, content)
    const overtaken = this.#ledger.messages.find((one) => one.content === payload['content'])
    if (overtaken) overtaken.asked ||= problem?.code === 'arrived_before_change'
    void tab.engine.ask({ name: 'outbox.edit', params: { id, content } })
  }

  sellerWrites(): void {
    const thread = this.#world.pick([...this.#server.threads.values()])
    if (thread) this.#server.sellerWrites(thread, `seller ${this.#person.next()}`)
  }

  /** Resolves actions whose tab died before it answered. */
  settle(tab: Tab): void {
    this.#settleEdit(tab)
    if (this.#saving?.tab === tab)
      this.#ledger.forgetSaved(this.#saving.owner, this.#saving.listing)
  }

  /** The edit took effect unless the old content is on disk or was sent. */
  #settleEdit(tab: Tab): void {
    const edit = this.#editing
    if (edit?.tab !== tab) return
    const kept = this.#device.disk.state.entries.find(({ id }) => id === edit.id)?.payload[
      'content'
    ]
    const sent = [...this.#server.threads.values()].some(({ messages }) =>
      messages.some(({ content }) => content === edit.old),
    )
    this.#note(edit.id, kept === edit.old || (kept === undefined && sent) ? edit.old : edit.content)
    this.#editing = null
  }

  #note(id: string, content: string): void {
    const one = this.#ledger.messages.find((message) => message.id === id)
    if (one) {
      one.content = content
      one.moved = true
    }
  }
}
