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

/** `:is(…)`, `:where(…)` and `(…)` name a subject, `:not(…)` and `:has(…)` do not. */
function withoutArguments(rule: string): string {
  const innermost = /(:has|:not|:is|:where)?\(([^()]*)\)/
  let rest = rule
  for (let found = innermost.exec(rest); found; found = innermost.exec(rest)) {
    const [all, pseudo, inside = ''] = found
    const named = inside.replaceAll(/[,\s>+~]+/g, '')
    const kept = pseudo === ':has' || pseudo === ':not' ? '' : named
    rest = rest.replace(all, kept)
  }
  return rest
}

/** A class, an id or an attribute; of the tags only those that a page has once or twice. */
const isRare = (subject: string): boolean =>
  /[.#]|\[(?!role\b)|^(?:header|nav|label|:root)\b/.test(subject)

/**
 * At each insertion under an element that such a rule may match, Chromium restyles all elements
 * that could be its subject: the whole page took 24 ms of a sent message at 6x.
 */
test('the subject of every :has() rule is rare: a class or an attribute, no common tag', () => {
  const files = globSync('src/**/*.css')
  const rules = files.flatMap((file) => readFileSync(file, 'utf8').match(HAS) ?? [])

  expect(rules.length).toBeGreaterThan(10)
  expect(rules.filter((rule) => !subjects(rule).every(isRare))).toEqual([])
})

test.each([
  ['.a:has([data-b]) .c > :not(.d, .e)', false],
  ['.a:has(.b) > *', false],
  ['.a:has(.b)', true],
  [":global(#root):has(> :global(main) > .screen) > [role='status']", false],
  ['.a > :global(span:has(> .b))', false],
  [':global(#root):has(.a) > :global(header)', true],
  ['.a:has([data-b]) > [data-c]', true],
])('%s', (rule, named) => {
  expect(subjects(rule).every(isRare)).toBe(named)
})
