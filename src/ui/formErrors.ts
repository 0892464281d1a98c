import type { Sentence } from '../locales/problems.ts'

/** Per field, and `all` for the whole form; empty: nothing is wrong. */
export type Wrong<F extends string> = Partial<Readonly<Record<F | 'all', Sentence>>>

export type Values<F extends string> = Readonly<Record<F, string>>

export interface Submitted<F extends string> {
  readonly values: Values<F>
  readonly wrong: Wrong<F>
}

/**
 * The errors of the last submit that are left: those of the check until it passes, the server's
 * until their field changes, and those of the whole form until any does.
 */
export function stillWrong<F extends string>(
  { values: sent, wrong }: Submitted<F>,
  values: Values<F>,
  check: (values: Values<F>) => Wrong<F>,
): Wrong<F> {
  if (values === sent) return wrong
  const [before, now] = [check(sent), check(values)]
  const left: Wrong<F> = {}
  for (const name in sent) {
    const fromServer = before[name] === undefined && values[name] === sent[name]
    const error = wrong[name] && (now[name] ?? (fromServer ? wrong[name] : undefined))
    if (error) Object.assign(left, { [name]: error })
  }
  return left
}
