import { hash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { zstdDecompressSync } from 'node:zlib'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openDeltas } from './deltas.ts'
import { etagOf, type WebApp, webRoutes } from './static.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'builds-'))
})
afterEach(() => rm(folder, { recursive: true }))

/** Of one script, whose name has the hash `name`. */
function build(name: string, text: string): WebApp {
  const path = `/assets/main-${name}.js`
  const identity = Buffer.from(text)
  const forms = { identity, br: Buffer.from('whole, in brotli'.repeat(20)), gzip: null }
  return new Map([[path, { path, type: 'text/javascript', etag: etagOf(identity), forms }]])
}
const log = pino({ level: 'silent' })
const long = Array.from({ length: 2000 }, (_, at) => `line${(at * 7919) % 2003}()`).join('\n')
const digestOf = (text: string) => hash('sha256', text, 'base64')

/** The answer for /assets/main-NAME.js of a server that ran each build in turn. */
async function ask(builds: readonly WebApp[], name: string, headers: Record<string, string>) {
  let app: WebApp = new Map()
  let deltas = await openDeltas(folder, [], log)
  for (app of builds) deltas = await openDeltas(folder, app.values(), log)
  return webRoutes(app, deltas).request(`/assets/main-${name}.js`, { headers })
}
const everything = 'gzip, deflate, br, zstd, dcb, dcz'

test('[S13.74] a browser that has the file of an earlier build gets what changed', async () => {
  const next = `${long}\nlast()`
  const answer = await ask([build('aaaaaaaa', long), build('bbbbbbbb', next)], 'bbbbbbbb', {
    'Accept-Encoding': everything,
    'Available-Dictionary': `:${digestOf(long)}:`,
  })
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-encoding': 'dcz',
    vary: 'Accept-Encoding, Available-Dictionary',
    'cache-control': 'private, max-age=31536000, immutable',
    'use-as-dictionary': 'match="/assets/main-*.js"',
  })
  const body = Buffer.from(await answer.arrayBuffer())
  expect(body.byteLength).toBeLessThan(150)
  expect(body.subarray(0, 8).toString('hex')).toBe('5e2a4d1820000000')
  expect(body.subarray(8, 40).toString('base64')).toBe(digestOf(long))
  const text = zstdDecompressSync(body.subarray(40), { dictionary: Buffer.from(long) })
  expect(text.toString()).toBe(next)
})

test.for([
  ['without a dictionary', { 'Accept-Encoding': everything }],
  [
    'with one that no build had',
    { 'Accept-Encoding': everything, 'Available-Dictionary': `:${digestOf('other')}:` },
  ],
  [
    'with a malformed one',
    { 'Accept-Encoding': everything, 'Available-Dictionary': digestOf(long) },
  ],
  [
    'that refuses the encoding',
    { 'Accept-Encoding': 'br, dcz;q=0', 'Available-Dictionary': `:${digestOf(long)}:` },
  ],
] as const)('[S13.74] a browser %s gets the whole file', async ([, headers]) => {
  const builds = [build('aaaaaaaa', long), build('bbbbbbbb', `${long}\nlast()`)]
  const answer = await ask(builds, 'bbbbbbbb', headers)
  expect(answer.headers.get('content-encoding')).toBe('br')
  expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
})

test('[S13.74] a difference that is larger than the file is not sent', async () => {
  const other = Array.from({ length: 3000 }, (_, at) => `other${(at * 31) % 997}`).join(';')
  const builds = [build('aaaaaaaa', long), build('bbbbbbbb', other)]
  const answer = await ask(builds, 'bbbbbbbb', {
    'Accept-Encoding': everything,
    'Available-Dictionary': `:${digestOf(long)}:`,
  })
  expect(answer.headers.get('content-encoding')).toBe('br')
})

test('[S13.74] the files of six builds are kept, of one that starts twice once', async () => {
  for (let at = 0; at < 9; at += 1) {
    const app = build(`build${at}xx`, `${long}\n${at}`)
    await openDeltas(folder, app.values(), log)
    await openDeltas(folder, app.values(), log)
  }
  expect(await readdir(folder)).toHaveLength(6)
})

test('[S13.74] foreign and unfinished entries of the folder are no builds', async () => {
  await writeFile(join(folder, '.DS_Store'), 'x')
  for (const at of [1, 2, 3, 4, 5, 6, 7]) await mkdir(join(folder, `.part${at}`))
  await mkdir(join(folder, 'a-folder-of-some', 'inner'), { recursive: true })
  const next = `${long}\nlast()`
  const answer = await ask([build('aaaaaaaa', long), build('bbbbbbbb', next)], 'bbbbbbbb', {
    'Accept-Encoding': everything,
    'Available-Dictionary': `:${digestOf(long)}:`,
  })
  expect(answer.headers.get('content-encoding')).toBe('dcz')
})

test('[S13.74] a kept file that changed on the disk is no dictionary', async () => {
  const app = build('bbbbbbbb', `${long}\nlast()`)
  await openDeltas(folder, build('aaaaaaaa', long).values(), log)
  const [earlier = ''] = await readdir(folder)
  const deltas = await openDeltas(folder, app.values(), log)
  await writeFile(join(folder, earlier, 'main-aaaaaaaa.js'), 'other')
  const answer = await webRoutes(app, deltas).request('/assets/main-bbbbbbbb.js', {
    headers: { 'Accept-Encoding': everything, 'Available-Dictionary': `:${digestOf(long)}:` },
  })
  expect(answer.headers.get('content-encoding')).toBe('br')
})

test('[S13.74] without a place for builds every file is sent whole', async () => {
  const file = join(folder, 'no-folder')
  await writeFile(file, '')
  const app = build('bbbbbbbb', long)
  const deltas = await openDeltas(file, app.values(), log)
  const answer = await webRoutes(app, deltas).request('/assets/main-bbbbbbbb.js', {
    headers: { 'Accept-Encoding': everything, 'Available-Dictionary': `:${digestOf(long)}:` },
  })
  expect([answer.status, answer.headers.get('content-encoding')]).toEqual([200, 'br'])
})
