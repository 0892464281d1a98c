/**
 * Answers for a short time, per database or index and by a text of the request; emptied when one
 * owner has too many.
 */
export class AnswerCache<Owner extends object, Answer> {
  readonly #byOwner = new WeakMap<Owner, Map<string, { answer: Answer; at: number }>>()
  readonly #keptMs: number
  readonly #most: number

  constructor(keptMs: number, most: number) {
    this.#keptMs = keptMs
    this.#most = most
  }

  get(owner: Owner, key: string, now: Date): Answer | undefined {
    const known = this.#byOwner.get(owner)?.get(key)
    const isFresh = known !== undefined && Math.abs(now.getTime() - known.at) < this.#keptMs
    return isFresh ? known.answer : undefined
  }

  set(owner: Owner, key: string, answer: Answer, now: Date): void {
    const answers = this.#byOwner.get(owner) ?? new Map<string, { answer: Answer; at: number }>()
    if (answers.size >= this.#most) answers.clear()
    this.#byOwner.set(owner, answers.set(key, { answer, at: now.getTime() }))
  }
}
