interface Kept<Answer> {
  readonly answer: Answer
  readonly at: number
}

/** By owner and a text of the request; the oldest make room. */
export class AnswerCache<Owner extends object, Answer> {
  readonly #byOwner = new WeakMap<Owner, Map<string, Kept<Answer>>>()
  readonly #keptMs: number
  readonly #most: number

  constructor(keptMs: number, most: number) {
    this.#keptMs = keptMs
    this.#most = most
  }

  get(owner: Owner, key: string, now: Date) {
    const known = this.#byOwner.get(owner)?.get(key)
    const isFresh = known !== undefined && Math.abs(now.getTime() - known.at) < this.#keptMs
    return isFresh ? known.answer : undefined
  }

  set(owner: Owner, key: string, answer: Answer, now: Date) {
    const answers = this.#byOwner.get(owner) ?? new Map<string, Kept<Answer>>()
    this.#byOwner.set(owner, answers)
    answers.delete(key)
    answers.set(key, { answer, at: now.getTime() })
    for (const oldest of answers.keys()) if (answers.size > this.#most) answers.delete(oldest)
  }

  /** Concurrent callers share one run of `make`; a failure is not kept. */
  shared<T>(
    this: AnswerCache<Owner, Promise<T>>,
    owner: Owner,
    key: string,
    now: Date,
    make: () => Promise<T>,
  ) {
    const known = this.get(owner, key, now)
    if (known !== undefined) return known
    const made = make()
    this.set(owner, key, made, now)
    made.catch(() => this.#byOwner.get(owner)?.delete(key))
    return made
  }
}
