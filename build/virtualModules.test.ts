import { expect, test } from 'vitest'
import catalogue from '../schema/data/categories.json' with { type: 'json' }
import { bundle } from '../tests/support/bundle.ts'
import { categories, texts } from './virtualModules.ts'

const codeOf = async (module: string): Promise<string> =>
  (
    await bundle(
      { 'src/test.ts': `export { default } from '${module}'` },
      { plugins: [categories(), texts()] },
    )
  ).get('test.js') ?? ''

test('the first screen gets all categories, without their fields', async () => {
  const code = await codeOf('virtual:categories')
  for (const { slug } of catalogue.categories) expect(code).toContain(`"${slug}"`)
  expect(code.length).toBeLessThan(JSON.stringify(catalogue).length / 10)
})

test('a long text comes alone and without examples; an unknown one fails the build', async () => {
  const code = await codeOf('virtual:texts/scam_patterns')
  expect(code).toContain('pattern')
  expect(code).not.toContain('match_examples')
  await expect(codeOf('virtual:texts/none')).rejects.toThrow('has no none')
})
