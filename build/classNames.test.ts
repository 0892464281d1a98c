import { expect, test } from 'vitest'
import { bundle } from '../tests/support/bundle.ts'
import { modules } from './classNames.ts'

test('classes and animations of a sheet have short names, the same in script and style', async () => {
  const files = {
    'src/test.ts': `import css from './ui/Dialog.module.css'; export default css`,
    'src/ui/Dialog.module.css': `.sheet { animation: rise 1s } .close {} @keyframes rise {}`,
  }
  const built = await bundle(files, { css: { modules }, build: { cssMinify: false } })
  const short = /"?sheet"?: "([a-z]{2}0)"/.exec(built.get('test.js') ?? '')?.[1] ?? ''
  const sheet = short.slice(0, 2)
  const style = [...built].find(([name]) => name.endsWith('.css'))?.[1]
  expect(sheet).toHaveLength(2)
  expect(style).toContain(`.${sheet}0`)
  expect(style).toContain(`.${sheet}1 {`)
  expect(style).toContain(`animation: ${sheet}2`)
  expect(style).toContain(`@keyframes ${sheet}2`)
})
