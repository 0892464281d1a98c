/** Or a group of rules under one condition (`@media`, `@supports`). */
type Rule = Readonly<{
  head: string
  body: string
  inner: readonly Rule[] | null
  /** For each selector, the classes that a page must have. */
  needs: readonly (readonly string[])[]
}>

/**
 * The part of a minified stylesheet that a page uses. The whole sheet follows, so it never decides
 * the cascade.
 */
export function earlyPart(sheet: string): (classes: ReadonlySet<string>) => string {
  const rules = rulesOf(sheet)
  return (classes) => written(rules, classes)
}

function written(rules: readonly Rule[], classes: ReadonlySet<string>): string {
  return rules
    .map(({ head, body, inner, needs }) => {
      if (inner === null)
        return needs.some((names) => names.every((name) => classes.has(name)))
          ? `${head}{${body}}`
          : ''
      const within = written(inner, classes)
      return within === '' ? '' : `${head}{${within}}`
    })
    .join('')
}

function rulesOf(css: string) {
  const rules: Rule[] = []
  for (let at = 0; at < css.length;) {
    const open = css.indexOf('{', at)
    if (open < 0) break
    const close = endOf(css, open)
    const head = css.slice(at, open)
    const body = css.slice(open + 1, close)
    const group = /^@(?:media|supports|container|layer)/.test(head)
    rules.push({
      head,
      body,
      inner: group ? rulesOf(body) : null,
      needs: head.startsWith('@') ? [[]] : needsOf(head),
    })
    at = close + 1
  }
  return rules
}

/** Braces inside strings do not count. */
function endOf(css: string, open: number) {
  let depth = 0
  for (const found of css.slice(open).matchAll(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[{}]/g)) {
    if (found[0] === '{') depth += 1
    if (found[0] === '}') depth -= 1
    if (depth === 0) return open + found.index
  }
  return css.length
}

/** Parentheses and brackets hold alternatives and states, which must not be required. */
function needsOf(selectors: string) {
  let plain = selectors
  for (let before = ''; before !== plain;) {
    before = plain
    plain = plain.replaceAll(/\([^()]*\)|\[[^[\]]*\]/g, '')
  }
  return plain
    .split(',')
    .map((one) => [...one.matchAll(/\.((?:[\w-]|\\.)+)/g)].map(([, name = '']) => name))
}
