const ADVERT = 'RxDB Open Core RxStorage'

/** RxDB's free storage prints an advert at its first write: that one line is left out while the store opens. */
export async function quietly<T>(work: () => Promise<T>): Promise<T> {
  const warn = console.warn
  console.warn = (...words: unknown[]) => {
    if (!words.some((word) => typeof word === 'string' && word.includes(ADVERT))) warn(...words)
  }
  try {
    return await work()
  } finally {
    console.warn = warn
  }
}
