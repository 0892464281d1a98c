import { hash } from 'node:crypto'

/** Two letters for each name, which other names change only where two hashes meet. */
export function shortNames(names: readonly string[], letters: string): ReadonlyMap<string, string> {
  const taken = new Set<string>()
  const shortOf = (name: string) => {
    let at = Number.parseInt(hash('md5', name).slice(0, 8), 16)
    const short = () =>
      [at / letters.length, at].map((n) => letters[Math.floor(n) % letters.length]).join('')
    while (taken.has(short())) at += 1
    taken.add(short())
    return short()
  }
  return new Map(names.toSorted().map((name) => [name, shortOf(name)]))
}
