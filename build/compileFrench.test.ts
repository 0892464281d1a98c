import { linguiTransformerBabelPreset } from '@lingui/vite-plugin'
import babel from '@rolldown/plugin-babel'
import { expect, test } from 'vitest'
import { bundle } from '../tests/support/bundle.ts'
import { compileFrench } from './compileFrench.ts'

test('what the macros leave of a French text is its compiled form', async () => {
  const files = {
    'src/words.ts': `
      import { msg, plural } from '@lingui/core/macro'
      export const plain = msg\`L’annonce "vélo" est là\`
      export const named = (name) => msg\`Bonjour \${name}\`
      export const counted = (count) => msg\`\${plural(count, { one: '# photo', other: '# photos' })}\``,
  }
  const built = await bundle(files, {
    plugins: [
      babel({ presets: [linguiTransformerBabelPreset({ descriptorFields: 'message' })] }),
      compileFrench(),
    ],
  })
  const code = (built.get('words.js') ?? '').replaceAll(/\s/g, '')
  expect(code).toContain(String.raw`message:["L’annonce\"vélo\"estlà"]`)
  expect(code).toContain('message:["Bonjour",["name"]]')
  expect(code).toContain('["count","plural",{"one":["#","photo"],"other":["#","photos"]}]')
})
