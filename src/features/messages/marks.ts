import { fold } from '#schema/fold'

interface Part {
  readonly text: string
  readonly found: boolean
}

/** `words` folded, as `fold` gives them; '' finds nothing. */
export function hasWords(content: string, words: string) {
  return words !== '' && fold(content).includes(words)
}

/** `words` are found without accents and case. */
export function markedParts(content: string, words: string): readonly Part[] {
  if (!hasWords(content, words)) return [{ text: content, found: false }]
  // Folding changes lengths: `starts` has for each folded unit the character it came from.
  const characters = [...content]
  const starts: number[] = []
  let folded = ''
  characters.forEach((character, at) => {
    const plain = fold(character)
    for (let unit = 0; unit < plain.length; unit += 1) starts.push(at)
    folded += plain
  })
  const parts: Part[] = []
  const add = (from: number, to: number, found: boolean) => {
    if (from < to) parts.push({ text: characters.slice(from, to).join(''), found })
  }
  let done = 0
  for (let at = folded.indexOf(words); at !== -1; at = folded.indexOf(words, at + words.length)) {
    const from = starts[at] ?? characters.length
    // The accents that follow the last letter belong to it.
    const to = starts[at + words.length] ?? characters.length
    add(done, from, false)
    add(Math.max(done, from), to, true)
    done = Math.max(done, to)
  }
  add(done, characters.length, false)
  return parts
}
