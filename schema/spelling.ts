/** Narrow, so that a database can stand behind it. */
export interface Vocabulary {
  readonly words: readonly string[]
  /** Listings about this word; 0: it only occurs in descriptions. */
  count(word: string): number
}

/** Shorter words have too many neighbours. */
const LENGTH_MIN = 4
/** "zzzz" sounds like "s", and almost every word begins like that. */
const SOUND_MIN = 3
/** From this length two errors are forgiven, else one. */
const LONG = 8
/** A known word gives way only to one so many times more frequent. */
const RARER = 10

/** null: nothing better is known. A word may be the beginning of one: "telef" is "telephone". */
export function corrected(
  words: readonly string[],
  vocabulary: Vocabulary,
): readonly string[] | null {
  const better = words.map((word) => correctedWord(word, vocabulary))
  return better.some((word) => word !== null)
    ? better.map((word, at) => word ?? words[at] ?? '')
    : null
}

function correctedWord(typed: string, { words, count }: Vocabulary) {
  if (typed.length < LENGTH_MIN || /\d/.test(typed)) return null
  const [sound, first] = [soundOf(typed), initialOf(typed)]
  if (sound.length < SOUND_MIN) return null
  const most = sound.length < LONG ? 1 : 2
  let own = 0
  let best: Candidate | null = null
  for (const word of words) {
    if (word.startsWith(typed)) own += Math.max(1, count(word))
    else if (initialOf(word) === first) {
      const { errors, rest } = errorsIn(sound, soundOf(word), most)
      if (errors > most || (best !== null && errors > best.errors)) continue
      const listings = count(word)
      const found = { word, errors, rest: Math.min(rest, 1), listings }
      if (listings > 0 && (best === null || isBetter(found, best))) best = found
    }
  }
  return best !== null && best.listings > own * RARER ? best.word : null
}

interface Candidate extends Readonly<Record<'errors' | 'rest' | 'listings', number>> {
  readonly word: string
}

/** The beginning of another word also finds that one. */
const isBetter = (a: Candidate, b: Candidate) =>
  (a.errors - b.errors ||
    a.rest - b.rest ||
    Number(a.word.startsWith(b.word)) - Number(b.word.startsWith(a.word)) ||
    b.listings - a.listings) < 0

const SOUNDS = [
  [/ph/g, 'f'],
  [/h/g, ''],
  [/ou|oo/g, 'u'],
  [/qu?|ck?|k/g, 'c'],
  [/y/g, 'i'],
  [/z/g, 's'],
  [/(.)\1+/g, '$1'],
] as const

/** Equal for words that sound alike in French: "samsoung" and "samsung". */
function soundOf(word: string) {
  return SOUNDS.reduce((sound, [letters, by]) => sound.replace(letters, by), word)
}

const ALIKE: Readonly<Record<string, string>> = {
  e: 'a',
  i: 'a',
  k: 'c',
  o: 'a',
  q: 'c',
  u: 'a',
  y: 'a',
  z: 's',
}

/** The first letter of `soundOf`, vowels alike: a cheap test that most words fail. */
function initialOf(word: string) {
  const first = word[word.startsWith('h') ? 1 : 0] ?? ''
  return word.startsWith('ph') ? 'f' : (ALIKE[first] ?? first)
}

/**
 * The least number of letters wrong, missing, too many or swapped between `typed` and a beginning
 * of `word`, at most `most`, and how many follow it.
 */
function errorsIn(typed: string, word: string, most: number): { errors: number; rest: number } {
  const width = Math.min(word.length, typed.length + most)
  if (width < typed.length - most) return { errors: most + 1, rest: 0 }
  let before: number[] = []
  let last = Array.from({ length: width + 1 }, (_, at) => at)
  for (let i = 1; i <= typed.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= width; j += 1) {
      const [letter, other] = [typed[i - 1], word[j - 1]]
      const swapped = i > 1 && j > 1 && letter === word[j - 2] && typed[i - 2] === other
      row.push(
        Math.min(
          (last[j] ?? 0) + 1,
          (row[j - 1] ?? 0) + 1,
          (last[j - 1] ?? 0) + Number(letter !== other),
          swapped ? (before[j - 2] ?? 0) + 1 : Infinity,
        ),
      )
    }
    if (Math.min(...row) > most) return { errors: most + 1, rest: 0 }
    before = last
    last = row
  }
  const errors = Math.min(...last)
  return { errors, rest: word.length - last.lastIndexOf(errors) }
}
