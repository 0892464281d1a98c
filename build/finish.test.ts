import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import * as v from 'valibot'
import { afterAll, expect, test } from 'vitest'
import { bundle } from '../tests/support/bundle.ts'
import { finish } from './finish.ts'

const folder = mkdtempSync(join(tmpdir(), 'finish-'))
const before = process.cwd()
process.chdir(folder)
afterAll(() => {
  process.chdir(before)
  rmSync(folder, { recursive: true })
})

test('a build ends with maps moved away, files compressed, and the time of its start', async () => {
  const began = Date.now()
  const files = { 'src/test.ts': `console.log(${JSON.stringify('long '.repeat(200))})` }
  await bundle(files, {
    plugins: [finish()],
    build: { write: true, outDir: join(folder, 'dist/web'), manifest: true, sourcemap: 'hidden' },
  })
  const code = readFileSync('dist/web/test.js')
  expect(brotliDecompressSync(readFileSync('dist/web/test.js.br'))).toEqual(code)
  expect(gunzipSync(readFileSync('dist/web/test.js.gz'))).toEqual(code)
  expect(existsSync('dist/web/test.js.map')).toBe(false)
  expect(existsSync('dist/maps/test.js.map')).toBe(true)
  const built = v.parse(
    v.strictObject({ began: v.number(), apiRoot: v.null() }),
    JSON.parse(readFileSync('dist/web/.vite/built.json', 'utf8')),
  )
  expect(built.began).toBeGreaterThanOrEqual(began)
})

test('a build that failed leaves no complete build', async () => {
  rmSync('dist', { recursive: true })
  const files = { 'src/test.ts': `import './none.ts'` }
  const failing = bundle(files, {
    plugins: [finish()],
    build: { write: true, outDir: join(folder, 'dist/web') },
  })
  await expect(failing).rejects.toThrow('none.ts')
  expect(existsSync('dist/web/.vite/built.json')).toBe(false)
})
