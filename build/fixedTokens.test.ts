import { expect, test } from 'vitest'
import { bundle } from './bundle.ts'
import { fixedTokens } from './fixedTokens.ts'

test('a token with one value is written where it is used; one of the theme stays a variable', async () => {
  const files = {
    'src/test.ts': `import './test.css'`,
    'src/test.css': `
      :root { --star: #f2b705; --ink: light-dark(#1c1b19, #edeae4); }
      p { background: var(--star); color: var(--ink); top: var(--unknown) }`,
  }
  const built = await bundle(files, { plugins: [fixedTokens()] })
  const style = [...built].find(([name]) => name.endsWith('.css'))?.[1]
  expect(style).not.toContain('--star')
  expect(style).toContain('#f2b705')
  expect(style).toContain('var(--ink)')
  expect(style).toContain('--ink:')
  expect(style).toContain('var(--unknown)')
})
