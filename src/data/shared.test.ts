import { SHARED, type Share, sharePath } from '#schema/port/share'
import { expect, onTestFinished, test, vi } from 'vitest'
import { dropShares, sharesOf } from './shared.ts'

const AT = 'https://market.example'

/** One cache, as far as shares use it. */
function cacheWith(...shares: readonly Share[]): ReadonlyMap<string, string> {
  const kept = new Map(shares.map((one) => [sharePath(one.id), JSON.stringify(one)]))
  const pathOf = (asked: Request | string): string =>
    typeof asked === 'string' ? asked : new URL(asked.url).pathname
  const cache = {
    keys: async () => [...kept.keys()].map((path) => new Request(AT + path)),
    match: async (asked: Request | string) => {
      const text = kept.get(pathOf(asked))
      return text === undefined ? undefined : new Response(text)
    },
    put: async (path: string, answer: Response) => void kept.set(path, await answer.text()),
    delete: async (path: string) => kept.delete(path),
  }
  vi.stubGlobal('caches', {
    open: async (name: string) => (name === SHARED ? cache : Promise.reject(new Error(name))),
  })
  onTestFinished(() => void vi.unstubAllGlobals())
  return kept
}

const idOf = (n: number): string => `019f1c0d-9c49-7cfe-b5f1-f8f9da42941${n}`
const shared = (n: number, owner: string | null): Share => ({
  id: idOf(n),
  owner,
  at: n,
  title: 'Pagne tissé',
  text: '',
  photos: [],
  refused: [],
})

test('[S4.05] a share that was seen by its owner is never another’s', async () => {
  cacheWith(shared(1, null), shared(2, 'U-awa'), shared(3, 'U-issa'))
  expect((await sharesOf('U-awa')).map(({ at }) => at)).toEqual([2, 1])
  expect((await sharesOf('')).map(({ at }) => at)).toEqual([])
  expect((await sharesOf('U-issa')).map(({ at }) => at)).toEqual([3])
})

test('[S4.05] signing out removes the own shares, and those of nobody', async () => {
  const kept = cacheWith(shared(1, null), shared(2, 'U-awa'), shared(3, 'U-issa'))
  await dropShares('U-awa')
  expect([...kept.keys()]).toEqual([sharePath(idOf(3))])
})
