import { existsSync, globSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import {
  citations,
  decisions,
  definitions,
  fileNames,
  LEFT_OUT,
  links,
  otherForms,
  pages,
  paths,
  titles,
} from './docs.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const all = pages(root)
const spec = all.filter(({ path }) => path.startsWith('docs/spec/'))
const defined = definitions(spec)
const prose = all.filter(({ path }) => /^docs\/.+\.md$|(^|\/)README\.md$/.test(path))
/** Without records of past decisions, which may name files that are gone. */
const today = prose.filter(({ path }) => !path.startsWith('docs/decisions/'))

/** Errors in these files, each with its path. */
const wrongIn = (
  files: typeof all,
  find: (text: string, path: string) => readonly string[],
): readonly string[] =>
  files.flatMap(({ path, text }) => find(text, path).map((wrong) => `${path}: ${wrong}`))

/** Statements of docs/spec/product.md that cannot be tested automatically, each with the reason. */
const BY_HAND: Readonly<Record<string, string>> = {
  F28: 'whether an installed app shares the storage of the browser is decided by each browser and system',
}

test('the tree is read, and the documents define the expected ids', () => {
  expect(all.length).toBeGreaterThan(500)
  const sections = ['API 1', 'API 8.10', 'API 20', 'SYNC 10', 'SURFACE 3', 'DESIGN 4']
  const ids = [...sections, 'S1.01', 'S9.32', 'D01', 'D122', 'A1', 'A10', 'P1', 'F28']
  expect(ids.filter((id) => !defined.has(id))).toEqual([])
})

test('each cited id exists in docs/spec', () => {
  expect(wrongIn(all, (text) => citations(text).filter((id) => !defined.has(id)))).toEqual([])
})

test('a citation has one form', () => {
  const others = all.filter(({ path }) => !path.startsWith('tests/docs'))
  expect(wrongIn(others, otherForms)).toEqual([])
})

test('each link in docs and READMEs leads to a file', () => {
  const exists = (path: string, to: string) => existsSync(join(root, dirname(path), to))
  expect(wrongIn(prose, (text, path) => links(text).filter((to) => !exists(path, to)))).toEqual([])
})

test('each path that docs and READMEs name exists', () => {
  expect(
    wrongIn(today, (text) => paths(text).filter((to) => globSync(to, { cwd: root }).length === 0)),
  ).toEqual([])
})

test('each file that docs and READMEs name exists', () => {
  const files = globSync('**/*.*', {
    cwd: root,
    exclude: [...LEFT_OUT].map((folder) => `${folder}/**`),
  }).map((file) => `/${file.replaceAll('\\', '/')}`)
  /** A bare name in the README of a folder means a file below that folder, or at the root. */
  const exists = (name: string, path: string): boolean => {
    const isBelow = !name.includes('/') && !path.startsWith('docs/')
    const folder = isBelow ? `/${dirname(path)}/`.replace('/./', '/') : '/'
    return (
      files.includes(`/${name}`) ||
      files.some((file) => file.startsWith(folder) && file.endsWith(`/${name}`))
    )
  }
  expect(
    wrongIn(today, (text, path) => fileNames(text).filter((name) => !exists(name, path))),
  ).toEqual([])
})

test('each folder of more than ten files has a README', () => {
  const folders = Map.groupBy(all, ({ path }) => dirname(path))
  const isBare = (files: typeof all) =>
    files.length > 10 && files.every(({ path }) => !path.endsWith('README.md'))
  expect([...folders].flatMap(([folder, files]) => (isBare(files) ? [folder] : []))).toEqual([])
})

test('no line of code is longer than 120 characters', () => {
  const code = all.filter(({ path }) => /\.tsx?$/.test(path))
  const long = (text: string) => text.split('\n').filter((line) => line.length > 120)
  expect(wrongIn(code, long)).toEqual([])
})

describe('decisions', () => {
  const records = all.filter(({ path }) => /^docs\/decisions\/\d{3}-/.test(path))
  const numbers = records.map(({ path }) => /\d{3}/.exec(path)?.[0])

  test('each number has one record', () => {
    expect(records.length).toBeGreaterThan(50)
    expect(new Set(numbers).size).toBe(numbers.length)
  })

  test('a record has its number, context, decision and consequences, in at most 60 lines', () => {
    const parts = ['**Context.**', '**Decision', '**Consequences.**']
    const wrong = records.filter(
      ({ path, text }) =>
        !text.startsWith(`# ${/\d{3}/.exec(path)?.[0]} `) ||
        parts.some((part) => !text.includes(part)) ||
        text.split('\n').length > 61,
    )
    expect(wrong.map(({ path }) => path)).toEqual([])
  })

  test('each cited decision has a record', () => {
    expect(
      wrongIn(all, (text) => decisions(text).filter((number) => !numbers.includes(number))),
    ).toEqual([])
  })
})

describe('each statement of the product is tested', () => {
  const tests = all.filter(({ path }) => /\.(test|journey|browser)\.tsx?$/.test(path))
  const cited = new Set(tests.flatMap(({ text }) => titles(text).flatMap(citations)))
  const statements = [...defined].filter((id) => /^[SPF]\d/.test(id))

  test('by a test whose title cites it, or by hand', () => {
    expect(statements.filter((id) => !cited.has(id) && BY_HAND[id] === undefined)).toEqual([])
  })

  test('statements tested by hand exist, and no test cites them', () => {
    expect(Object.keys(BY_HAND).filter((id) => !statements.includes(id) || cited.has(id))).toEqual(
      [],
    )
  })
})

test('the parsers find citations, links, paths and titles', () => {
  expect(citations('as [API 8.2] and [S2.48, D96] say, [A3]')).toEqual([
    'API 8.2',
    'S2.48',
    'D96',
    'A3',
  ])
  const file = ['API', 'md'].join('.')
  expect(otherForms(`(${file} 8.2), SYNC 9, (S4.14), (D07)`)).toEqual([
    file,
    'SYNC 9',
    'S4.14',
    'D07',
  ])
  expect(otherForms("[API 1.1], [S4.14, D07] and 'S4.14'")).toEqual([])
  expect(links('[a](b.md#c), [d](https://e.f), [g](#h)')).toEqual(['b.md'])
  expect(paths('`schema/wire/NOUN.ts` and `docs/spec`')).toEqual(['schema/wire/*.ts', 'docs/spec'])
  expect(decisions('decision 095, docs/decisions/100, [012](012-a.md), D96')).toEqual([
    '095',
    '100',
    '012',
  ])
  expect(fileNames('`open.ts` and `read/routes.ts`, `sync.worker`')).toEqual([
    'open.ts',
    'read/routes.ts',
  ])
  expect(titles("test.each([1])('[S4.19] works', () => 'S9.01')").flatMap(citations)).toEqual([
    'S4.19',
  ])
})
