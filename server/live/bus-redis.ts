import type { Logger } from 'pino'
import { openRedis, subscribe } from '../redis.ts'
import { gather, readNote, writeNote, type Bus, type BusCallbacks, type Note } from './bus.ts'

const USERS_PER_NOTE = 1000

/** `channel` separates databases that share one server. While it is down the processes poll. */
export async function redisBus(
  url: string,
  channel: string,
  callbacks: BusCallbacks,
  log: Logger,
): Promise<Bus> {
  const publisher = await openRedis(url, 'news', log)
  const listener = subscribe(url, channel, {
    message(text) {
      const note = readNote(text)
      if (note !== null) callbacks.received(note)
    },
    subscribed: () => callbacks.missed(),
  })
  let waiting: Note[] = []
  const send = () => {
    const notes = gather(waiting, USERS_PER_NOTE)
    waiting = []
    for (const note of notes)
      publisher.run((redis) => redis.publish(channel, writeNote(note))).catch(() => undefined)
  }
  return {
    send(note) {
      waiting.push(note)
      if (waiting.length === 1) setImmediate(send)
    },
    async close() {
      publisher.close()
      listener.close()
    },
  }
}
