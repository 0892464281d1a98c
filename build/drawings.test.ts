import { expect, test } from 'vitest'
import { bundle } from '../tests/support/bundle.ts'
import { drawings } from './drawings.ts'

test('a drawing is a component with the classes of its sheet', async () => {
  const files = {
    'src/parts/drawings/test.ts': `export { default } from './allDone.svg?react'`,
    'src/parts/drawings/drawings.module.css': '.drawing {} .sun {}',
  }
  const built = await bundle(files, {
    plugins: [drawings()],
    build: { rolldownOptions: { external: /^react/ } },
  })
  const code = built.get('test.js') ?? ''
  expect(code).toMatch(/jsxs\("svg", \{\s+viewBox: "0 0 176 132"/)
  expect(code).toMatch(/className: \w+\.sun/)
  expect(code).toContain('strokeDasharray: "1 6"')
  expect(code).not.toMatch(/xmlns|<svg|class:/)
})
