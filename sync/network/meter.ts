import type { Traffic } from '#schema/port/service'
import type { Outside } from '../outside.ts'
import { Timer } from '../within.ts'

export interface MeterDisk {
  add(day: string, sent: number, received: number): Promise<void>
  /** Both days included. */
  read(from: string, to: string): Promise<readonly Traffic[]>
}

const WRITE_MS = 10_000

/** Batches its writes, so that counting costs little itself. */
export class Meter {
  readonly #outside: Outside
  readonly #disk: MeterDisk
  #sent = 0
  #received = 0
  readonly #timer: Timer

  constructor(outside: Outside, disk: MeterDisk) {
    this.#outside = outside
    this.#disk = disk
    this.#timer = new Timer(outside)
  }

  add(sent: number, received: number): void {
    this.#sent += sent
    this.#received += received
    if (!this.#timer.isRunning)
      this.#timer.start(WRITE_MS, () => void this.write().catch(() => undefined))
  }

  async write(): Promise<void> {
    this.#timer.stop()
    const [sent, received] = [this.#sent, this.#received]
    if (sent + received === 0) return
    this.#sent = 0
    this.#received = 0
    await this.#disk.add(this.#day(), sent, received)
  }

  async today(): Promise<Traffic> {
    return this.#sum(this.#day())
  }

  async month(): Promise<Traffic> {
    return this.#sum(`${this.#day().slice(0, 7)}-01`)
  }

  async #sum(from: string): Promise<Traffic> {
    await this.write()
    const days = await this.#disk.read(from, this.#day())
    return {
      sent: days.reduce((sum, day) => sum + day.sent, 0),
      received: days.reduce((sum, day) => sum + day.received, 0),
    }
  }

  /** Days are UTC: Ouagadougou has UTC all year [API 1.1]. */
  #day(): string {
    return new Date(this.#outside.now()).toISOString().slice(0, 10)
  }
}
