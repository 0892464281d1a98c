import type { CommandName, Payload } from '#schema/port/command'
import type { Outcome, SendResult } from '#schema/port/outcome'
import type { QuestionName, Params } from '#schema/port/question'
import type { RequestAnswers, RequestName, RequestParams } from '#schema/port/request'
import { uuidOf } from '#schema/uuid'
import { askEngine, sendCommand } from './engine.ts'
import { randomHex } from './session.ts'

/** A one-off request; never rejects. */
export function ask<N extends RequestName>(
  name: N,
  params: RequestParams<N>,
): Promise<Outcome<RequestAnswers[N]>> {
  return askEngine({ name, params })
}

export function refresh<N extends QuestionName>(name: N, params: Params<N>) {
  void ask('data.refresh', { name, params })
}

/** The only way to write: resolves once stored. `draft`: the draft it consumes. */
export function send<N extends CommandName>(
  name: N,
  payload: Payload<N>,
  id = commandId(),
  draft?: string,
): Promise<SendResult> {
  return sendCommand({ id, name, payload, ...(draft !== undefined && { draft }) })
}

export function commandId() {
  return uuidOf(Date.now(), randomHex())
}
