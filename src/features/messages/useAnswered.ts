import { useState } from 'react'
import * as v from 'valibot'
import { answerKeyOf } from '#schema/answerKey'
import { ask } from '../../data/ask.ts'
import { useLiveQuery } from '../../data/read.ts'

/** `words`: '' of a photo. */
const answered = v.object({
  id: v.string(),
  own: v.boolean(),
  name: v.string(),
  words: v.string(),
})
export type Answered = v.InferOutput<typeof answered>

const read = v.safeParser(v.pipe(v.string(), v.parseJson(), answered))

/** The message that the next one answers: a draft of its own, so that it survives a reload. */
export function useAnswered(draftKey: string) {
  const key = answerKeyOf(draftKey)
  const kept = read(useLiveQuery('draft.text', { key }).facts?.content)
  const [chosen, choose] = useState<Answered | null>()

  function change(next: Answered | null) {
    choose(next)
    void ask('draft.keep', { key, content: next === null ? '' : JSON.stringify(next) })
  }

  return [chosen === undefined && kept.success ? kept.output : (chosen ?? null), change] as const
}
