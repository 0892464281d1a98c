/**
 * One writer or many readers at a time. WebKit blocks a database for ever when a worker ends while
 * one transaction of a connection waits for another (decision 116), so no transaction may wait there.
 */
export class Turns {
  #write: Promise<unknown> = Promise.resolve()
  #reads = new Set<Promise<unknown>>()

  async read<T>(work: () => Promise<T>): Promise<T> {
    const reading = this.#write.then(work)
    const ended = reading.catch(() => undefined)
    this.#reads.add(ended)
    try {
      return await reading
    } finally {
      this.#reads.delete(ended)
    }
  }

  write<T>(work: () => Promise<T>): Promise<T> {
    const writing = Promise.all([this.#write, ...this.#reads]).then(work)
    this.#write = writing.catch(() => undefined)
    return writing
  }
}
