import type { Traffic } from '#schema/port/service'
import type { Outside } from '../outside.ts'
import { Timer } from '../within.ts'

export interface MeterDisk {
  add(day: string, sent: number, received: number): Promise<unknown>
  read(from: string, to: string): Promise<readonly Traffic[]>
}

const WRITE_MS = 10_000

export type Meter = ReturnType<typeof createMeter>

export function createMeter(
  outside: Pick<Outside, 'now' | 'setTimer'>,
  device: { meter(create?: boolean): Promise<MeterDisk | null> },
) {
  const timer = new Timer(outside)
  let sent = 0
  let received = 0

  /** UTC, as in Ouagadougou [API 1.1]. */
  function today() {
    return new Date(outside.now()).toISOString().slice(0, 10)
  }

  async function write() {
    timer.stop()
    const disk = sent + received > 0 ? await device.meter() : null
    if (!disk) return
    const adding = disk.add(today(), sent, received)
    sent = received = 0
    await adding
  }

  /** Stored first: what somebody saw must not shrink. */
  async function since(day: string) {
    const disk = await device.meter(true)
    await write()
    const days = (await disk?.read(day, today())) ?? []
    return {
      sent: days.reduce((sum, one) => sum + one.sent, sent),
      received: days.reduce((sum, one) => sum + one.received, received),
    }
  }

  return {
    add(moreSent: number, moreReceived: number) {
      sent += moreSent
      received += moreReceived
      if (!timer.isRunning) timer.start(WRITE_MS, () => void write().catch(() => undefined))
    },
    write,
    today: () => since(today()),
    month: () => since(`${today().slice(0, 7)}-01`),
  }
}
