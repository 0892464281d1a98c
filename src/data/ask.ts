import type { Outcome } from '#schema/port/outcome'
import type { QuestionName, Params } from '#schema/port/question'
import type { RequestAnswers, RequestName, RequestParams } from '#schema/port/request'
import { askEngine } from './engine.ts'

/** A one-off request; never rejects. */
export function ask<N extends RequestName>(
  name: N,
  params: RequestParams<N>,
): Promise<Outcome<RequestAnswers[N]>> {
  return askEngine({ name, params })
}

export function refresh<N extends QuestionName>(name: N, params: Params<N>): void {
  void ask('data.refresh', { name, params })
}
