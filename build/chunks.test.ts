import { expect, test } from 'vitest'
import { bundle } from '../tests/support/bundle.ts'
import { chunks, workerChunks } from './chunks.ts'

test('the modules of every start are in its chunks, and those of three screens in another', async () => {
  const files = {
    'index.html': '<html><head><script type="module" src="/src/start.ts"></script></head></html>',
    'src/start.ts': `import('./boot.ts'); import('./main.tsx')`,
    'src/boot.ts': `import { a } from './data/a.ts'; export const boot = a`,
    'src/data/a.ts': `export const a = 'of boot'`,
    'src/main.tsx': `
      import './boot.ts'
      import { b } from './data/b.ts'
      import { a } from './data/a.ts'
      export const main = () => [a, b,
        import('./features/x/XScreen.tsx'),
        import('./features/y/YScreen.tsx'),
        import('./features/z/ZScreen.tsx')]`,
    'src/data/b.ts': `export const b = 'of main'`,
    ...Object.fromEntries(
      ['x', 'y', 'z'].map((name) => [
        `src/features/${name}/${name.toUpperCase()}Screen.tsx`,
        `import { b } from '../../data/b.ts'; import { c } from '../../data/c.ts'; export const ${name} = [b, c]`,
      ]),
    ),
    'src/data/c.ts': `export const c = 'of three screens'`,
  }
  const built = await bundle(files, {
    build: { rolldownOptions: { output: { codeSplitting: { groups: chunks } } } },
  })
  const fileWith = (text: string) =>
    [...built].filter(([, code]) => code.includes(text)).map(([name]) => name)
  expect(fileWith(`"of boot"`)).toEqual(['boot.js'])
  expect(fileWith(`"of main"`)).toEqual(['main.js'])
  expect(fileWith(`"of three screens"`)).toEqual(['common.js'])
  expect([...built.keys()].filter((name) => name.endsWith('.js')).toSorted()).toEqual(
    ['XScreen', 'YScreen', 'ZScreen', 'boot', 'common', 'index', 'main', 'rolldown-runtime'].map(
      (name) => `${name}.js`,
    ),
  )
})

test('no chunk imports the entry of the data worker', async () => {
  const files = {
    'workers/sync.worker.ts': `import { a } from '../sync/a.ts'; import('../sync/later.ts'); console.log(a)`,
    'sync/a.ts': `export const a = 'shared'`,
    'sync/later.ts': `import { a } from './a.ts'; export const later = [a, 'later']`,
  }
  const built = await bundle(files, {
    build: { rolldownOptions: { output: { codeSplitting: { groups: workerChunks } } } },
  })
  expect(built.get('sync-base.js')).toContain('shared')
  expect(built.get('later.js')).toContain('from "./sync-base.js"')
  expect([...built.values()].filter((code) => code.includes('sync.worker.js'))).toEqual([])
})
