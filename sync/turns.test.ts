import { expect, test } from 'vitest'
import { Turns } from './turns.ts'

test('[SYNC 6] readers together, a writer alone, in order, also after a failure', async () => {
  const turns = new Turns()
  const running = new Set<string>()
  const seen: string[] = []
  const slow = (name: string) => async () => {
    running.add(name)
    await new Promise((resolve) => setTimeout(resolve, 0))
    seen.push([...running].join('+'))
    running.delete(name)
  }
  const failing = turns.write(() => Promise.reject(new Error('undone')))
  await Promise.all([
    expect(failing).rejects.toThrow('undone'),
    turns.read(slow('a')),
    turns.read(slow('b')),
    turns.write(slow('C')),
    turns.write(slow('D')),
    turns.read(slow('e')),
  ])
  expect(seen).toEqual(['a+b', 'b', 'C', 'D', 'e'])
})
