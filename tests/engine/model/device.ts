import type { EngineEvent } from '#schema/port/engine'
import { createEngine, type Engine } from '#sync/engine'
import { nouns } from '#sync/signed-in'
import type { DraftStore } from '#sync/noun'
import { emptyState } from '#sync/outbox/state'
import type { Channel, Outside } from '#sync/outside'
import { remembering } from '#sync/outbox/firstWrite'
import { writes } from '#sync/writes'
import { type ModelNetwork, ORIGIN } from './network.ts'
import { deviceDbOf, DeviceDisk, memoryTableOf, seenOf, tableOf } from './disk.ts'
import { Realm } from './realm.ts'
import { EPOCH } from './server.ts'
import { DocumentDisk, memoryStore } from './store.ts'
import type { World } from './world.ts'

export const PHOTO_BYTES = 250_000
const file = new Blob([new Uint8Array(PHOTO_BYTES)])

export interface Tab {
  readonly realm: Realm
  readonly engine: Engine
  visible: boolean
  messages: boolean
  /** Of an earlier release: a newer one has upgraded the local database. */
  old: boolean
}

interface Holder {
  readonly realm: Realm
  readonly lose: () => void
}
interface Waiter {
  readonly holder: Holder
  readonly go: () => void
}

/** One origin of a browser: disks that outlive processes, realms that share locks and channels. */
export class Device {
  readonly disk = new DeviceDisk()
  readonly documents = new DocumentDisk()
  readonly tabs: Tab[] = []
  /** Error of the device's clock, ms. */
  skew = 0
  /** The browser stores nothing: one tab holds all data, and loses it when it ends. */
  readonly memoryOnly: boolean
  readonly #world: World
  readonly #network: ModelNetwork
  readonly #holders = new Map<string, Holder>()
  readonly #waiters = new Map<string, Waiter[]>()
  readonly #channels = new Map<
    string,
    Set<{ readonly realm: Realm; readonly onMessage: (message: unknown) => void }>
  >()

  constructor(world: World, network: ModelNetwork, memoryOnly = false) {
    this.memoryOnly = memoryOnly
    this.#world = world
    this.#network = network
  }

  open(token: string | null, onEvent: (note: EngineEvent) => void): Tab {
    const realm = new Realm(this.#world)
    const own = this.outside(realm)
    const outside: Outside = this.memoryOnly
      ? { ...own, lock: (_name, _how, work) => work(new AbortController().signal) }
      : own
    const isOld = (): boolean => tab.old
    const table = this.memoryOnly
      ? memoryTableOf(this.disk)
      : remembering(tableOf(this.#world, this.disk, realm, isOld), () => this.#world.id())
    const exists = async (): Promise<boolean> => {
      if (!this.memoryOnly) await realm.step(this.#world.below(3))
      return this.memoryOnly || this.disk.state !== emptyState
    }
    const device = deviceDbOf(exists, {
      table,
      seen: seenOf(this.disk, realm),
      drafts: () => Promise.resolve(this.#drafts(realm)),
    })
    const store = memoryStore(this.documents, realm)
    const engine = createEngine({
      outside,
      device: { ...device, memoryOnly: this.memoryOnly },
      writes: () => Promise.resolve({ ...writes, tableOn: () => table }),
      store,
      nouns,
      version: '1',
    })
    const tab: Tab = { realm, engine, visible: true, messages: false, old: false }
    this.tabs.push(tab)
    void engine.connect(onEvent)
    void engine.setSession({ token, language: 'fr', sessionId: 'visitor-1' })
    return tab
  }

  grow(): void {
    for (const tab of this.tabs) {
      tab.old = true
      tab.realm.after(0, () => tab.engine.hold('newer'))
    }
  }

  /** Deletes the data that was only in a tab's memory. */
  forget(): void {
    this.disk.state = emptyState
    this.disk.seen.clear()
    this.disk.drafts.clear()
    this.disk.photos.clear()
    this.documents.clear()
  }

  /** Kills a tab at this very step; its locks and channels are released, as browsers do. */
  kill(tab: Tab): void {
    this.end(tab.realm)
    this.tabs.splice(this.tabs.indexOf(tab), 1)
  }

  end(realm: Realm): void {
    realm.kill()
    for (const [name, waiters] of this.#waiters)
      this.#waiters.set(
        name,
        waiters.filter((waiter) => waiter.holder.realm !== realm),
      )
    for (const [name, holder] of Array.from(this.#holders))
      if (holder.realm === realm) this.#release(name)
    for (const listeners of this.#channels.values())
      for (const listener of listeners) if (listener.realm === realm) listeners.delete(listener)
  }

  keepPhoto(id: string, draft: string, owner: string): void {
    this.disk.photos.set(id, {
      id,
      draft,
      owner,
      file,
      bytes: PHOTO_BYTES,
      width: 1600,
      height: 1200,
    })
  }

  async photo(realm: Realm, id: string): Promise<unknown> {
    await realm.step()
    return this.disk.photos.get(id)?.file ?? null
  }

  #drafts(realm: Realm): DraftStore {
    const { drafts, photos } = this.disk
    return {
      list: () => Promise.resolve([...drafts.values()]),
      onChange: () => () => undefined,
      save: async (draft) => realm.step().then(() => void drafts.set(draft.id, draft)),
      ownerOf: async (id) => realm.step().then(() => drafts.get(id)?.owner ?? null),
      remove: async (id) => {
        await realm.step()
        drafts.delete(id)
        for (const photo of Array.from(photos.values()))
          if (photo.draft === id) photos.delete(photo.id)
      },
      savePhoto: async (photo) => realm.step().then(() => void photos.set(photo.id, photo)),
      photo: (id) => this.photo(realm, id),
      removePhoto: async (id) => realm.step().then(() => void photos.delete(id)),
      removeAllOf: async (owner) => {
        await realm.step()
        for (const { id, owner: whose } of [...drafts.values(), ...photos.values()])
          if (whose === owner && !photos.delete(id)) drafts.delete(id)
      },
    }
  }

  /** `messages`: the messages screen is in front. */
  show(tab: Tab, visible: boolean, messages = tab.messages): void {
    tab.visible = visible
    tab.messages = messages
    void tab.engine.ask({
      name: 'page.state',
      params: {
        visible,
        online: this.#network.state !== 'gone',
        saveData: false,
        wifi: null,
        language: 'fr',
        messages,
      },
    })
  }

  outside(realm: Realm): Outside {
    const world = this.#world
    return {
      now: () => EPOCH + world.now + this.skew,
      setTimer: (ms, what) => realm.after(ms, what),
      random: () => world.random(),
      newId: () => world.id(),
      origin: ORIGIN,
      fetch: (request, init) => this.#network.fetch(realm, request, init),
      upload: (request, sending) => this.#network.fetch(realm, request, sending),
      measure: () => () => null,
      openSocket: (path, callbacks) => this.#network.openSocket(realm, path, callbacks),
      lock: (name, how, work, giveUp) => this.#lock(realm, name, how, work, giveUp),
      channel: (name, onMessage) => this.#channel(realm, name, onMessage),
      askBackground: () => undefined,
      freeSpace: async () => {
        await realm.step()
        if (this.#world.maybe(0.5)) this.disk.full = false
      },
      estimate: () => Promise.resolve({ usage: 0, quota: 1 }),
    }
  }

  async #lock<T>(
    realm: Realm,
    name: string,
    how: 'wait' | 'ifFree' | 'steal',
    work: (lost: AbortSignal) => Promise<T>,
    giveUp?: AbortSignal,
  ): Promise<T | null> {
    await realm.step()
    if (giveUp?.aborted) throw new Error('given up')
    const lost = new AbortController()
    const stolen = new Promise<never>((_resolve, reject) =>
      lost.signal.addEventListener('abort', () => reject(new Error('stolen'))),
    )
    stolen.catch(() => undefined)
    // As in browsers: the holder's request fails, and a frozen holder notices when it runs again.
    const mine: Holder = { realm, lose: () => realm.after(0, () => lost.abort()) }
    const holder = this.#holders.get(name)
    if (holder && how === 'ifFree') return null
    if (holder && how === 'wait') await this.#queue(name, mine, giveUp)
    else {
      this.#holders.set(name, mine)
      holder?.lose()
    }
    try {
      return await Promise.race([work(lost.signal), stolen])
    } finally {
      if (this.#holders.get(name) === mine) this.#release(name)
    }
  }

  #queue(name: string, holder: Holder, giveUp: AbortSignal | undefined): Promise<void> {
    return new Promise<void>((go, reject) => {
      const waiter: Waiter = { holder, go: () => holder.realm.after(0, go) }
      this.#waiters.set(name, [...(this.#waiters.get(name) ?? []), waiter])
      giveUp?.addEventListener('abort', () => {
        const waiting = this.#waiters.get(name) ?? []
        if (!waiting.includes(waiter)) return
        this.#waiters.set(
          name,
          waiting.filter((one) => one !== waiter),
        )
        reject(new Error('given up'))
      })
    })
  }

  /** The next waiter holds the lock from now on, though it may notice later. */
  #release(name: string): void {
    this.#holders.delete(name)
    const [next, ...others] = this.#waiters.get(name) ?? []
    this.#waiters.set(name, others)
    if (!next) return
    this.#holders.set(name, next.holder)
    next.go()
  }

  #channel(realm: Realm, name: string, onMessage: (message: unknown) => void): Channel {
    const listeners = this.#channels.get(name) ?? new Set()
    this.#channels.set(name, listeners)
    const mine = { realm, onMessage }
    listeners.add(mine)
    return {
      post: (message) => {
        const copy = structuredClone(message)
        for (const other of listeners)
          if (other !== mine)
            other.realm.after(
              this.#world.below(3),
              () => listeners.has(other) && other.onMessage(copy),
            )
      },
      close: () => listeners.delete(mine),
    }
  }
}
