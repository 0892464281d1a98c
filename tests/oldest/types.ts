import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { api, child, type Feature, missing, oldestBrowsers } from './compat.ts'

/**
 * Type-checks the sources against web types in which everything that an oldest browser lacks may be
 * undefined: code that checks first compiles, code that does not fails.
 */

const OUT = '.cache/oldest'
/** The compiler and its types are in a platform-specific package. */
const compiler = dirname(
  fileURLToPath(
    import.meta.resolve(`@typescript/typescript-${process.platform}-${process.arch}/package.json`),
  ),
)

/** Wrong in MDN's data: WebKit's own interface definitions have them since Safari 16. */
const mistaken = new Set(['NotificationEvent.notification'])

/** MDN's name of a member, in the comment above it. */
const LINK = /developer\.mozilla\.org\/docs\/Web\/API\/([\w/]+)\)/

for (const lib of ['dom', 'webworker']) {
  mkdirSync(OUT, { recursive: true })
  writeFileSync(
    join(OUT, `${lib}.d.ts`),
    withoutNewer(readFileSync(join(compiler, 'lib', `lib.${lib}.d.ts`), 'utf8')),
  )
}
const wrong = ['page', 'workers'].filter(
  (part) =>
    spawnSync(join(compiler, 'lib', 'tsc'), ['--project', `tests/oldest/tsconfig.${part}.json`], {
      stdio: 'inherit',
    }).status !== 0,
)
if (wrong.length > 0) process.exitCode = 1
else console.info(`Sources ask before they use what ${oldestBrowsers} may lack.`)

function withoutNewer(types: string): string {
  let holder = ''
  let link: Feature
  let closes = '}'
  return types
    .split('\n')
    .map((line) => {
      link = featureOf(LINK.exec(line)?.[1] ?? '') ?? link
      const block = /^(?:interface|declare var|declare namespace) (\w+)(?=.*\{$)/.exec(line)
      if (block) {
        holder = block[1] ?? ''
        closes = line.startsWith('declare var') && lacks(child(api, holder)) ? '} | undefined' : '}'
        link = undefined
        return line
      }
      if (line.startsWith('}')) {
        holder = ''
        return line.replace('}', closes)
      }
      const changed = changedLine(line, holder, link)
      if (/^(?: {4})?[\w"].*;$/.test(line)) link = undefined
      return changed
    })
    .join('\n')
}

/** A member or a global, changed to be possibly undefined if a browser lacks it. */
function changedLine(line: string, holder: string, link: Feature): string {
  const member = /^( {4}(?:readonly |get |set )?)(\w+)([(:<].*)$/.exec(line)
  if (member && holder !== '' && !holder.endsWith('EventMap')) {
    const [, head = '', name = '', rest = ''] = member
    const feature =
      link ?? child(child(api, holder), name) ?? child(child(api, holder), `${name}_static`)
    // If the whole interface is lacking, its constructor is what must be checked.
    if (
      name === 'new' ||
      mistaken.has(`${holder}.${name}`) ||
      lacks(child(api, holder)) ||
      !lacks(feature)
    )
      return line
    const accessor = /^ {4}get /.test(head)
    return accessor
      ? line.replace(/;$/, ' | undefined;')
      : head.includes('set ')
        ? line
        : `${head}${name}?${rest}`
  }
  const global = /^declare (?:var|function) (\w+)/.exec(line)
  if (!global || holder !== '') return line
  const [, name = ''] = global
  if (!lacks(link ?? child(child(api, 'Window'), name) ?? child(api, name))) return line
  const call = /^declare function \w+(\(.*\)): (.*);$/.exec(line)
  return call
    ? `declare var ${name}: ((${call[1]?.slice(1, -1)}) => ${call[2]}) | undefined;`
    : line.replace(/;$/, ' | undefined;')
}

function featureOf(path: string): Feature {
  const [name = '', member] = path.split('/')
  return member === undefined ? child(api, name) : child(child(api, name), member)
}

function lacks(feature: Feature): boolean {
  return missing(feature).length > 0
}
