import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const HAS = /[^{};]*:has\([^{}]*(?=\{)/g

/** The last part of each selector, without pseudo-classes that name no element. */
function subjects(rule: string): readonly string[] {
  const flat = withoutArguments(rule.replace(/\/\*.*?\*\//gs, '').replaceAll(':global', ''))
  return flat.split(',').map(
    (selector) =>
      selector
        .trim()
        .split(/[\s>+~]+/)
        .at(-1) ?? '',
  )
}

/** `:is(…)`, `:where(…)` and `(…)` name a subject, `:not(…)` does not. `#`: has `:has()` itself. */
function withoutArguments(rule: string): string {
  const innermost = /(:has|:not|:is|:where)?\(([^()]*)\)/
  let rest = rule
  for (let found = innermost.exec(rest); found; found = innermost.exec(rest)) {
    const [all, pseudo, inside = ''] = found
    const named = inside.replaceAll(/[,\s>+~]+/g, '')
    const kept = pseudo === ':has' ? '#' : pseudo === ':not' ? '' : named
    rest = rest.replace(all, kept)
  }
  return rest
}

const isNamed = (subject: string): boolean => /^[.#[\w]|[.#[]/.test(subject)

/**
 * Chromium restyles the whole page at each insertion under an element that such a rule may match:
 * 24 ms of a sent message at 6x.
 */
test('the subject of every :has() rule has a class, a tag or an attribute', () => {
  const files = globSync('src/**/*.css')
  const rules = files.flatMap((file) => readFileSync(file, 'utf8').match(HAS) ?? [])

  expect(rules.length).toBeGreaterThan(10)
  expect(rules.filter((rule) => !subjects(rule).every(isNamed))).toEqual([])
})

test.each([
  ['.a:has([data-b]) .c > :not(.d, .e)', false],
  ['.a:has(.b) > *', false],
  ['.a:has(.b)', true],
  [":global(#root):has(> :global(main) > .screen) > [role='status']", true],
  ['.a:has([data-b]) > :is([role="group"]:not([data-c]), .left)', true],
])('%s', (rule, named) => {
  expect(subjects(rule).every(isNamed)).toBe(named)
})
