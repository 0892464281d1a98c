import { SourceMap } from 'node:module'
import { expect, test } from 'vitest'
import { bundle } from '../tests/support/bundle.ts'
import { compileAhead } from './compileAhead.ts'

const files = {
  'src/start.ts': `import('./main.ts'); import('./later.ts')`,
  'src/main.ts': `export const one = 1\nthrow new Error('here')`,
  'src/later.ts': 'export const two = 2',
}

test('the scripts of every start ask to be compiled early, and no other', async () => {
  const built = await bundle(files, { plugins: [compileAhead()], build: { sourcemap: 'hidden' } })
  const hinted = [...built].filter(([, code]) => code.startsWith('//# allFunctionsCalledOnLoad\n'))
  expect(hinted.map(([name]) => name)).toEqual(['main.js'])
})

test('positions in the source map stay true', async () => {
  const built = await bundle(files, { plugins: [compileAhead()], build: { sourcemap: 'hidden' } })
  const lines = (built.get('main.js') ?? '').split('\n')
  const line = lines.findIndex((text) => text.includes('one = 1'))
  const map = new SourceMap(JSON.parse(built.get('main.js.map') ?? ''))
  const found = map.findEntry(line, lines[line]?.indexOf('one') ?? 0)
  expect(found).toMatchObject({ originalLine: 0 })
})
