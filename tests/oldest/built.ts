import { globSync, readFileSync } from 'node:fs'
import postcss from 'postcss'
import { parseAst } from 'vite'
import { allowed } from './allowed.ts'
import {
  api,
  builtins,
  child,
  css,
  type Feature,
  html,
  missing,
  names,
  oldestBrowsers,
} from './compat.ts'

/**
 * Checks APIs, HTML attributes and CSS of built files against package.json's `browserslist`;
 * es-check checks the syntax. Features that the code detects before use are in allowed.ts.
 */

const interfaces: readonly Feature[] = [api, builtins]

/** Members that no interface of some listed browser has, by name. */
const members = byName(
  interfaces.flatMap((group) => names(group).map((name) => child(group, name))),
  /^(?!.*_(?:static|event)$)/,
)
const events = byName(
  interfaces.flatMap((group) => names(group).map((name) => child(group, name))),
  /_event$/,
)
const attributes = byName(
  [
    child(html, 'global_attributes'),
    ...names(child(html, 'elements')).map((name) => child(child(html, 'elements'), name)),
  ],
  /^[a-z-]+$/,
)

function byName(holders: readonly Feature[], like: RegExp): ReadonlyMap<string, readonly string[]> {
  const known = new Map<string, readonly string[]>()
  for (const holder of holders) {
    for (const name of names(holder).filter((one) => like.test(one))) {
      const here = missing(child(holder, name))
      const before = known.get(name) ?? here
      known.set(
        name,
        before.filter((browser) => here.includes(browser)),
      )
    }
  }
  return known
}

const found = new Map<string, { readonly lack: readonly string[]; readonly files: Set<string> }>()
function report(what: string, lack: readonly string[], file: string): void {
  if (lack.length === 0) return
  const known = found.get(what) ?? { lack, files: new Set<string>() }
  known.files.add(file)
  found.set(what, known)
}

type Node = { readonly type: string; readonly [name: string]: unknown }
const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
const nameOf = (node: unknown): string =>
  isNode(node) && node.type === 'Identifier' && typeof node['name'] === 'string' ? node['name'] : ''
const nodesOf = (value: unknown): readonly Node[] =>
  Array.isArray(value) ? value.filter(isNode) : []
/** The text of a string literal; minifiers write it as a template. */
const textOf = (node: unknown): string => {
  if (!isNode(node)) return ''
  if (node.type === 'Literal') return typeof node['value'] === 'string' ? node['value'] : ''
  const [first, ...more] = nodesOf(node['quasis'])
  const value: unknown = more.length === 0 ? first?.['value'] : null
  const cooked: unknown =
    typeof value === 'object' && value !== null ? Reflect.get(value, 'cooked') : null
  return typeof cooked === 'string' ? cooked : ''
}

function readScript(file: string): void {
  const declared = new Set<string>()
  const globals = new Set<string>()
  const walk = (node: Node): void => {
    if (node.type === 'MemberExpression' && node['computed'] !== true) {
      const [holder, member] = [nameOf(node['object']), nameOf(node['property'])]
      const statics = interfaces.flatMap((group) => [
        child(child(group, holder), `${member}_static`),
        child(child(builtins, holder), member),
      ])
      for (const feature of statics) report(`${holder}.${member}`, missing(feature), file)
      // One lowercase word may be anybody's member; in the sources the types decide (types.ts).
      if (/[a-z][A-Z]/.test(member) && statics.every((one) => one === undefined))
        report(`.${member}`, members.get(member) ?? [], file)
    } else if (node.type === 'Property') {
      const key = nameOf(node['key'])
      report(`attribute ${key.toLowerCase()}`, attributes.get(key.toLowerCase()) ?? [], file)
    } else if (
      node.type === 'CallExpression' &&
      isNode(node['callee']) &&
      nameOf(node['callee']['property'] ?? node['callee']) === 'addEventListener'
    ) {
      const [event] = nodesOf(node['arguments'])
      report(`event ${textOf(event)}`, events.get(`${textOf(event)}_event`) ?? [], file)
    } else if (node.type === 'VariableDeclarator') declared.add(nameOf(node['id']))
    else if (/^(?:Function|Class)Declaration$/.test(node.type)) declared.add(nameOf(node['id']))
    else if (node.type === 'NewExpression' || node.type === 'CallExpression')
      globals.add(nameOf(node['callee']))
    for (const value of Object.values(node))
      for (const one of [value].flat()) if (isNode(one)) walk(one)
  }
  const program: unknown = parseAst(readFileSync(file, 'utf8'))
  if (!isNode(program)) throw new Error(`${file}: no program`)
  walk(program)
  for (const name of globals)
    if (!declared.has(name))
      for (const group of interfaces) report(name, missing(child(group, name)), file)
}

function readSheet(file: string): void {
  const properties = child(css, 'properties')
  const types = child(css, 'types')
  const functions = names(types).map((name) => child(types, name))
  const asked = (node: object): boolean => {
    for (
      let at: unknown = node;
      typeof at === 'object' && at !== null;
      at = Reflect.get(at, 'parent')
    )
      if (Reflect.get(at, 'name') === 'supports') return true
    return false
  }
  postcss.parse(readFileSync(file, 'utf8')).walk((node) => {
    if (node.type === 'decl' && !node.prop.startsWith('--')) {
      const property = child(properties, node.prop)
      if (asked(node)) return
      report(`property ${node.prop}`, missing(property), file)
      if (missing(property).length > 0) return
      for (const [word] of node.value.matchAll(/[a-z][a-z-]+/g)) {
        report(`property ${node.prop}: ${word}`, missing(child(property, word)), file)
        for (const type of functions)
          if (node.value.includes(`${word}(`))
            report(`function ${word}()`, missing(child(type, word)), file)
      }
    } else if (node.type === 'atrule')
      report(`@${node.name}`, missing(child(child(css, 'at-rules'), node.name)), file)
    else if (node.type === 'rule')
      for (const [, pseudo = ''] of node.selector.matchAll(/::?([a-z-]+)/g))
        report(`selector :${pseudo}`, missing(child(child(css, 'selectors'), pseudo)), file)
  })
}

for (const file of globSync('dist/web/**/*.js')) readScript(file)
for (const file of globSync('dist/web/**/*.css')) readSheet(file)

/** WebKit evaluates a worker's entry again when a chunk imports it (decision 116). */
const again = globSync('dist/web/assets/*.js').filter((file) =>
  /(?:from|import)\s*["'`]\.\/worker-[\w-]+\.worker-/.test(readFileSync(file, 'utf8')),
)
for (const file of again) console.error(`${file}: imports the entry of a worker`)

const stale = [...allowed].filter((what) => !found.has(what))
const wrong = [...found].filter(([what]) => !allowed.has(what))
for (const [what, { lack, files }] of wrong)
  console.error(
    `${what}: not in ${lack.join(', ')} (${[...files].map((file) => file.split('/').at(-1)).join(', ')})`,
  )
for (const what of stale) console.error(`${what}: allowed in allowed.ts, and not used any more`)
if (wrong.length + stale.length + again.length > 0) process.exitCode = 1
else console.info(`APIs, attributes and CSS of ${oldestBrowsers}: nothing else is used.`)
