import { setTimeout as pause } from 'node:timers/promises'
import { Client } from '../db/client.ts'
import { gather, readNote, writeNote, type Bus, type BusCallbacks, type Note } from './bus.ts'

const CHANNEL = 'yaar_live'
/** A NOTIFY payload holds less than 8,000 bytes. */
const USERS_PER_NOTE = 150
const AGAIN_MS = 1000
/** A NOTIFY is a transaction of its own, and wakes every process. */
const GATHER_MS = 10
const WAITING_MAX = 10_000

/** Notes that arrive during a send are combined: the NOTIFYs of a database wait for each other. */
export function notifyBus(url: string, callbacks: BusCallbacks): Bus {
  const state: { open: boolean; client: Client | null; sending: boolean } = {
    open: true,
    client: null,
    sending: false,
  }
  let waiting: Note[] = []

  async function connect() {
    const fresh = new Client({
      connectionString: url,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      connectionTimeoutMillis: 10_000,
    })
    try {
      await listenOn(fresh)
    } finally {
      state.client = null
      // a connection that failed half way would stay open
      await fresh.end().catch(() => undefined)
    }
  }

  async function listenOn(fresh: Client) {
    fresh.on('notification', ({ payload }) => {
      const note = readNote(payload ?? '')
      if (note !== null) callbacks.received(note)
    })
    await fresh.connect()
    await fresh.query(`listen ${CHANNEL}`)
    state.client = fresh
    const ended = new Promise<void>((resolve) => fresh.once('end', resolve))
    // closed while it was connecting
    if (!state.open) void fresh.end()
    callbacks.missed()
    void send()
    await ended
  }

  async function stayConnected() {
    while (state.open) {
      await connect().catch(() => undefined)
      if (state.open) await pause(AGAIN_MS, undefined, { ref: false })
    }
  }

  async function send() {
    const { client } = state
    if (state.sending || client === null) return
    state.sending = true
    try {
      while (waiting.length > 0) {
        const notes = gather(waiting, USERS_PER_NOTE)
        waiting = []
        await client.query('select pg_notify($1, payload) from unnest($2::text[]) as payload', [
          CHANNEL,
          notes.map(writeNote),
        ])
        await pause(GATHER_MS, undefined, { ref: false })
      }
    } catch {
      // other processes poll every second
    } finally {
      state.sending = false
    }
  }

  const done = stayConnected()
  return {
    send(note) {
      // a hanging server gets none; other processes poll
      if (state.client === null || waiting.length >= WAITING_MAX) return
      waiting.push(note)
      void send()
    },
    async close() {
      state.open = false
      await state.client?.end()
      await done
    },
  }
}
