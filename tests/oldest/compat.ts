import { readFileSync } from 'node:fs'
import bcd, {
  type CompatStatement,
  type Identifier,
  type SimpleSupportStatement,
} from '@mdn/browser-compat-data' with { type: 'json' }
import * as v from 'valibot'

/** Features of the oldest supported browsers (package.json's `browserslist`), from MDN's data. */

const listed = v.parse(
  v.object({ browserslist: v.array(v.string()) }),
  JSON.parse(readFileSync('package.json', 'utf8')),
)
const oldest = listed.browserslist.map((line) => {
  const [, name, version] = /^(chrome|safari) >= ([\d.]+)$/.exec(line) ?? []
  if ((name !== 'chrome' && name !== 'safari') || version === undefined)
    throw new Error(`browserslist: “${line}” is not “chrome >= N” or “safari >= N”`)
  return { name: name === 'chrome' ? ('chrome' as const) : ('safari' as const), version }
})

/** As text, such as "chrome 138 and safari 16.4". */
export const oldestBrowsers = oldest.map(({ name, version }) => `${name} ${version}`).join(' and ')

function isOlder(a: string, b: string): boolean {
  const [x = [], y = []] = [a, b].map((text) => text.replace('≤', '').split('.').map(Number))
  return (x[0] ?? 0) < (y[0] ?? 0) || (x[0] === y[0] && (x[1] ?? 0) < (y[1] ?? 0))
}

function has(
  {
    version_added: added,
    version_removed: removed,
    flags,
    prefix,
    alternative_name: other,
  }: SimpleSupportStatement,
  version: string,
): boolean {
  if (
    flags !== undefined ||
    prefix !== undefined ||
    other !== undefined ||
    typeof added !== 'string' ||
    added === 'preview'
  )
    return false
  return !isOlder(version, added) && !(typeof removed === 'string' && !isOlder(version, removed))
}

export type Feature = Identifier | undefined

export function child(of: Feature, name: string): Feature {
  return of !== undefined && Object.hasOwn(of, name) && name !== '__compat' ? of[name] : undefined
}

export function names(of: Feature): readonly string[] {
  return of === undefined ? [] : Object.keys(of).filter((name) => name !== '__compat')
}

/** The listed browsers that lack a feature; an unknown feature is lacking in none. */
export function missing(feature: Feature): readonly string[] {
  const compat: CompatStatement | undefined = feature?.__compat
  if (compat === undefined) return []
  return oldest.flatMap(({ name, version }) => {
    const known = compat.support[name]
    return known === undefined || [known].flat().some((one) => has(one, version))
      ? []
      : [`${name} ${version}`]
  })
}

export const { api, css, html } = bcd
export const builtins = child(bcd.javascript, 'builtins')
