import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Script } from 'node:vm'
import type { BuildOptions } from 'vite'
import { afterAll, expect, test } from 'vitest'
import { bundle } from '../tests/support/bundle.ts'
import { classicMain } from './classicMain.ts'

const folder = mkdtempSync(join(tmpdir(), 'classic-main-'))
afterAll(() => rmSync(folder, { recursive: true }))

const files = {
  'src/start.ts': `import('./boot.ts'); import('./main.ts').then(({ started }) => started())`,
  'src/boot.ts': `export const word = 'boot'; console.log('boot')`,
  'src/main.ts': `
    import { word } from './boot.ts'
    import './main.css'
    const isStrict = (function () { return this === undefined })()
    export const shared = { by: ['main', 'after', word, isStrict].join(' ') }
    export async function started() { (await import('./later.ts')).show() }`,
  'src/later.ts': `
    import { shared as own } from './main.ts'
    import { word } from './boot.ts'
    export const show = () => {
      console.log(own.by, word)
      if (own.by === '') void import('./deeper.ts')
    }`,
  'src/deeper.ts': `import './deeper.css'; export { shared } from './main.ts'`,
  'src/main.css': '.main { color: red }',
  'src/deeper.css': '.deeper { color: red }',
}
const built = await bundle(files, {
  plugins: [classicMain()],
  build: { minify: true, sourcemap: 'hidden', modulePreload: { polyfill: false } },
})

/** The document of a page that runs classic scripts. */
const page = `
  import { readFileSync } from 'node:fs'
  import { constants, runInThisContext } from 'node:vm'
  const importModuleDynamically = constants.USE_MAIN_CONTEXT_DEFAULT_LOADER
  globalThis.self = globalThis
  globalThis.document = {
    createElement: () => ({}),
    head: {
      append(script) {
        runInThisContext(readFileSync('.' + script.src, 'utf8'), { importModuleDynamically })
        script.onload()
      },
    },
  }
  await import('./start.js')`

test('main is a classic script that later chunks share, and the first script runs it', () => {
  for (const [name, code] of built) writeFileSync(join(folder, name), code)
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(folder, 'page.js'), page)
  const printed = execFileSync(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', 'page.js'],
    { cwd: folder, encoding: 'utf8' },
  )
  expect(printed.trim().split('\n')).toEqual(['boot', 'main after boot true boot'])
  expect(() => new Script(built.get('main.js') ?? '')).not.toThrow()
})

test('[S13.74] a later chunk names neither main nor what main imports', () => {
  expect(built.get('later.js')).toContain('deeper.css')
  expect(built.get('later.js')).not.toMatch(/(?:main|start|boot)\.(?:js|css)/)
})

test('[S13.74] a new export of main leaves the chunks that use others as they are', async () => {
  const moreUsed = {
    ...files,
    'src/main.ts': `export const aFirst = ['first']; ${files['src/main.ts']}`,
    'src/deeper.ts': `${files['src/deeper.ts']}; export { aFirst } from './main.ts'`,
  }
  const options: BuildOptions = {
    minify: true,
    sourcemap: 'hidden',
    rolldownOptions: { output: { minifyInternalExports: false } },
  }
  const build = (from: typeof files) => bundle(from, { plugins: [classicMain()], build: options })
  const [before, after] = [await build(files), await build(moreUsed)]
  expect(before.get('later.js')).toMatch(/\{[A-Za-z]{2}:/)
  expect(after.get('later.js')).toBe(before.get('later.js'))
  expect(after.get('deeper.js')).not.toBe(before.get('deeper.js'))
})

test('an import of a kind that it does not know fails the build', async () => {
  const odd = { ...files, 'src/later.ts': `import './main.ts'; export const show = () => 0` }
  await expect(bundle(odd, { plugins: [classicMain()] })).rejects.toThrow('not known')
})
