import type { Command } from '#schema/port/command'
import type { EngineEvent } from '#schema/port/engine'
import { later, type Outcome, type SendResult } from '#schema/port/outcome'
import type { Question } from '#schema/port/question'
import type { Request, RequestAnswers, RequestName } from '#schema/port/request'
import { signal } from '../../src/data/signal.ts'
import { Reader } from '../engine/reader.ts'
import type { State } from './states.ts'

/** In place of `src/data/engine.ts`: the rules of `sync/` in the page, with the state's server. */

const events = signal<EngineEvent>()
export const onEvent = events.on
let reader: Reader | null = null
let answers: Answers = {}

/** What requests of a state are answered; all others wait for the network. */
export type Answers = { readonly [N in RequestName]?: Outcome<RequestAnswers[N]> }

const kept: Answers = {
  'draft.keep': { kind: 'done', answer: null },
  'draft.keepListing': { kind: 'done', answer: null },
}

export async function begin({ server, me, prepare, answered = {} }: State): Promise<void> {
  answers = { ...kept, ...answered }
  reader = await Reader.open(server, { me })
  await prepare?.(reader)
  reader.frames.subscribe((frame) => events.emit({ kind: 'frame', ...frame }))
}

export function watch(key: string, { name, params }: Question): void {
  reader?.watch(name, params, key)
}

export function unwatch(key: string): void {
  reader?.unwatch(key)
}

/** Nothing is sent from the gallery. */
export function sendCommand(_command: Command): Promise<SendResult> {
  return Promise.resolve({ kind: 'done' })
}

export function askEngine<N extends RequestName>({
  name,
}: Request<N>): Promise<Outcome<RequestAnswers[N]>> {
  return Promise.resolve(answers[name] ?? later('offline', false))
}
