import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'

const PATTERN: Readonly<Record<string, string>> = { '**/': '(?:.+/)?', '*': '[^/]*', '.': '\\.' }

/** Implements .dockerignore as these images use it: the last match counts, `**` is any folder. */
async function leftOut(path: string): Promise<boolean> {
  const rules = (await readFile(new URL('../../.dockerignore', import.meta.url), 'utf8'))
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
  const fits = (rule: string) => {
    const pattern = rule
      .split(/(\*\*\/|\*|\.)/)
      .map((part) => PATTERN[part] ?? part)
      .join('')
    return new RegExp(`^${pattern}(?:/.*)?$`).test(path)
  }
  return rules.reduce(
    (out, rule) => (rule.startsWith('!') ? out && !fits(rule.slice(1)) : out || fits(rule)),
    false,
  )
}

test.each([
  '.env',
  '.env.production',
  'deploy/.env',
  'data/vapid.json',
  'vapid.json',
  '.git/config',
  'node_modules/x/index.js',
])('%s stays out of the image', async (path) => {
  expect(await leftOut(path)).toBe(true)
})
test.each([
  'server/main.ts',
  'package-lock.json',
  'src/app/env.ts',
  'schema/data/categories.json',
  '.npmrc',
])('%s goes into the image', async (path) => {
  expect(await leftOut(path)).toBe(false)
})
