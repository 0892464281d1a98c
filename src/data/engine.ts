import type { Command } from '#schema/port/command'
import type { EnginePort, EngineEvent } from '#schema/port/engine'
import { later, type Outcome, type SendResult } from '#schema/port/outcome'
import type { Question } from '#schema/port/question'
import type { Request, RequestAnswers, RequestName } from '#schema/port/request'
import { proxy } from 'comlink'
import { portOf, rejectable } from './worker.ts'
import { firstRender } from './firstRender.ts'
import { sendOver } from './sendOver.ts'
import { onSession, session, sessionInput } from './session.ts'
import { signal } from './signal.ts'

/** The only connection to the engine: starts, pings and replaces the data worker. */

const PING_MS = 10_000
/** Opening the database takes many seconds on a slow phone. */
const DEADLINE_MS = 20_000

type Link = Readonly<{
  worker: Worker | null
  port: EnginePort
  gone: Promise<never>
  end: () => void
}>

const never = (): Promise<never> => new Promise(() => undefined)
const silent: EnginePort = {
  connect: never,
  setSession: never,
  watch: never,
  unwatch: never,
  send: never,
  ask: never,
  ping: never,
}

const watched = new Map<string, Question>()
const events = signal<EngineEvent>()
export const onEvent = events.on
/** If the HTML shows the first screen, the worker starts with the first request (page.ts). */
let link: Link | null = import.meta.env.SSR || firstRender ? null : start()

export function watch(key: string, question: Question) {
  watched.set(key, question)
  quietly(link?.port.watch(key, question))
}

export function unwatch(key: string) {
  watched.delete(key)
  quietly(link?.port.unwatch(key))
}

export function sendCommand(command: Command): Promise<SendResult> {
  return sendOver(
    command,
    () => (link ??= start()),
    () => session().token,
  )
}

/** `later` if the worker dies halfway. */
export async function askEngine<N extends RequestName>(
  request: Request<N>,
): Promise<Outcome<RequestAnswers[N]>> {
  const { port, gone } = (link ??= start())
  try {
    return await Promise.race([port.ask(request), gone])
  } catch {
    return later('server', false)
  }
}

function start(): Link {
  const worker = new Worker(new URL('../../workers/sync.worker.ts', import.meta.url), {
    type: 'module',
    name: 'data',
  })
  const port = portOf<EnginePort>(worker)
  const { promise: gone, reject } = rejectable()
  const end = () => {
    worker.terminate()
    reject(new Error('the data worker was replaced'))
  }
  quietly(port.connect(proxy(receive)))
  quietly(port.setSession(sessionInput()))
  for (const [key, question] of watched) quietly(port.watch(key, question))
  return { worker, port, gone, end }
}

function receive(event: EngineEvent) {
  if (event.kind === 'restart') replace()
  events.emit(event)
}

/** The next worker gets the same calls again. */
function quietly(call: Promise<unknown> | undefined) {
  call?.catch((error: unknown) => console.warn('engine', error))
}

function replace() {
  link?.end()
  link = start()
}

/** Safari fires visibilitychange after the freeze, and a request would start a worker. */
function sleep() {
  link?.end()
  const { promise: gone, reject } = rejectable()
  link = { worker: null, port: silent, gone, end: () => reject(new Error('the page woke up')) }
}

function wake() {
  if (link === null || link.worker === null) replace()
}

onSession(() => quietly(link?.port.setSession(sessionInput())))

if (!import.meta.env.SSR) watchPage()

function watchPage() {
  // A frozen tab would block lock and database for every other tab [SYNC 6]. Safari has no freeze
  // event, only pagehide.
  document.addEventListener('freeze', sleep)
  addEventListener('pagehide', ({ persisted }) => {
    if (persisted) sleep()
  })
  document.addEventListener('resume', wake)
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') wake()
  })
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) wake()
  })

  let unanswered = 0
  setInterval(() => {
    if (!link?.worker || document.visibilityState === 'hidden') return
    if (unanswered * PING_MS >= DEADLINE_MS) {
      unanswered = 0
      replace()
      return
    }
    unanswered += 1
    const asked = link
    void asked.port.ping().then(() => {
      if (asked === link) unanswered = 0
    })
  }, PING_MS)
}
