/** Virtual time and seeded randomness: the same seed gives the same run. */
export class World {
  #now = 0
  #order = 0
  #events: Event[] = []
  #chance: () => number

  constructor(seed: number) {
    this.#chance = chance(seed)
  }

  random(): number {
    return this.#chance()
  }

  /** Restarts the generator: leaving out a step does not change the randomness of later ones. */
  reseed(seed: number): void {
    this.#chance = chance(seed)
  }

  /** ms since the run began, independent of any device's clock. */
  get now(): number {
    return this.#now
  }

  after(ms: number, what: () => void): () => void {
    // Whole milliseconds, as timers and clocks have them: ids contain them.
    const event: Event = {
      at: this.#now + Math.max(0, Math.ceil(ms)),
      order: this.#order++,
      what,
      dead: false,
    }
    push(this.#events, event)
    return () => (event.dead = true)
  }

  /** Runs until no event is left, `ms` have passed, or `done` returns true between two events. */
  async run(ms: number, done: () => boolean = () => false): Promise<void> {
    const until = this.#now + ms
    // In a message handler (a worker’s first run) nextTick would run before the microtasks.
    await Promise.resolve()
    await settled()
    while (!done()) {
      const event = pop(this.#events)
      if (!event) return
      if (event.at > until) {
        push(this.#events, event)
        break
      }
      if (event.dead) continue
      this.#now = event.at
      event.what()
      await settled()
    }
    if (!done()) this.#now = Math.max(this.#now, until)
  }

  below(most: number): number {
    return Math.floor(this.random() * most)
  }

  pick<T>(list: readonly T[]): T | undefined {
    return list[this.below(list.length)]
  }

  maybe(probability: number): boolean {
    return this.random() < probability
  }

  id(): string {
    const hex = (length: number): string =>
      Array.from({ length }, () => this.below(16).toString(16)).join('')
    const time = (1_780_000_000_000 + this.#now).toString(16).padStart(12, '0')
    return `${time.slice(0, 8)}-${time.slice(8)}-7${hex(3)}-a${hex(3)}-${hex(12)}`
  }
}

interface Event {
  readonly at: number
  readonly order: number
  readonly what: () => void
  dead: boolean
}

/** Resolves once all microtasks ran: nextTick comes after them and costs a tenth of a macrotask. */
function settled(): Promise<void> {
  return new Promise((resolve) => process.nextTick(resolve))
}

function chance(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

function before(a: Event, b: Event): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order)
}

function push(heap: Event[], event: Event): void {
  let place = heap.length
  heap.push(event)
  while (place > 0) {
    const parent = (place - 1) >> 1
    const above = heap[parent]
    if (!above || before(above, event)) break
    heap[place] = above
    place = parent
  }
  heap[place] = event
}

function pop(heap: Event[]): Event | undefined {
  const [top] = heap
  const last = heap.pop()
  if (!top || !last || heap.length === 0) return top
  let place = 0
  for (;;) {
    const left = 2 * place + 1
    const [a, b] = [heap[left], heap[left + 1]]
    const child = b && a && before(b, a) ? left + 1 : left
    const next = heap[child]
    if (!next || before(last, next)) break
    heap[place] = next
    place = child
  }
  heap[place] = last
  return top
}
