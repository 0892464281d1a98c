import Redis from 'iovalkey'
import { gather, readNote, writeNote, type Bus, type Ears, type Note } from './bus.ts'

const USERS_PER_NOTE = 1000

/** Publish and subscribe of Redis or Valkey; `channel` tells databases apart that share one server. */
export function redisBus(url: string, channel: string, ears: Ears): Bus {
  const options = { maxRetriesPerRequest: 1, enableOfflineQueue: false, lazyConnect: false }
  const teller = new Redis(url, options)
  const listener = new Redis(url, { ...options, enableOfflineQueue: true, autoResubscribe: true })
  // a cut connection comes back by itself; until then the others look every second
  for (const client of [teller, listener]) client.on('error', () => undefined)
  listener.on('ready', () => ears.missed())
  listener.on('message', (_: string, text: string) => {
    const note = readNote(text)
    if (note !== null) ears.heard(note)
  })
  listener.subscribe(channel).catch(() => undefined)

  let waiting: Note[] = []
  const send = () => {
    const notes = gather(waiting, USERS_PER_NOTE)
    waiting = []
    for (const note of notes) teller.publish(channel, writeNote(note)).catch(() => undefined)
  }
  return {
    tell(note) {
      waiting.push(note)
      if (waiting.length === 1) setImmediate(send)
    },
    async close() {
      teller.disconnect()
      listener.disconnect()
    },
  }
}
