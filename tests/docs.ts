import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'

/** Folders at the root with built, installed or stored files. */
export const LEFT_OUT = new Set([
  'node_modules',
  'dist',
  '.git',
  '.cache',
  'data',
  'test-results',
  'playwright-report',
])
const READ = new Set([
  '.ts',
  '.tsx',
  '.css',
  '.md',
  '.html',
  '.mjs',
  '.cjs',
  '.yaml',
  '.yml',
  '.service',
])
/** Applied migrations are hashed, so their comments cannot change. */
const FROZEN = /^server\/db\/migrations\//

export interface Page {
  readonly path: string
  readonly text: string
}

/** Every file that may contain citations, with paths relative to `root`. */
export function pages(root: string, under = ''): readonly Page[] {
  return readdirSync(join(root, under), { withFileTypes: true }).flatMap((entry) => {
    const path = join(under, entry.name).replaceAll('\\', '/')
    if (entry.isDirectory()) return LEFT_OUT.has(path) ? [] : pages(root, path)
    if (!READ.has(extname(entry.name)) || FROZEN.test(path)) return []
    return [{ path, text: readFileSync(join(root, path), 'utf8') }]
  })
}

const ID = String.raw`(?:API|SYNC|SURFACE|DESIGN) \d+(?:\.\d+)?|S\d{1,2}\.\d\d|[DF]\d{2,3}|A\d{1,2}|P\d`
const CITATION = new RegExp(String.raw`\[((?:${ID})(?:, (?:${ID}))*)\]`, 'g')

/** The ids that a text cites, in the only valid form: `[API 8.2]`, `[S2.48, D96]`. */
export const citations = (text: string): readonly string[] =>
  [...text.matchAll(CITATION)].flatMap(([, list = '']) => list.split(', '))

const DOCUMENT = String.raw`(?:API|SYNC|SURFACE|DESIGN|SPEC|SERVER)(?:\.md| §?\d[\d.]*)`
const DECISION = String.raw`(?<=\()D\d{2,3}(?=[,)])`
const OTHER_FORM = new RegExp(
  String.raw`(?<![\w\`'"./-])(?:${DOCUMENT}|S\d{1,2}\.\d\d|${DECISION})(?![\w\`'"])`,
  'g',
)

/** Citations in another form: a document's file, `(S4.14)`, `(D07)`. Ids in quotes are values. */
export const otherForms = (text: string): readonly string[] =>
  text.replace(CITATION, '').match(OTHER_FORM) ?? []

const DOCUMENTS = {
  'api.md': 'API',
  'sync.md': 'SYNC',
  'surface.md': 'SURFACE',
  'design.md': 'DESIGN',
} as const

/** The ids that docs/spec defines: numbered headings, and rows and lines that begin with an id. */
export function definitions(spec: readonly Page[]): ReadonlySet<string> {
  const all = new Set<string>()
  for (const { path, text } of spec) {
    const document = Object.entries(DOCUMENTS).find(([name]) => path.endsWith(`/${name}`))?.[1]
    for (const [, number = ''] of text.matchAll(/^#{2,3} (\d+(?:\.\d+)?)\.? /gm))
      if (document !== undefined) all.add(`${document} ${number}`)
    for (const [, id = ''] of text.matchAll(
      /^(?:- |\| )`?(S\d{1,2}\.\d\d|[DF]\d{2,3}|[AP]\d{1,2})`?(?= )/gm,
    ))
      all.add(id)
  }
  return all
}

/** Relative Markdown links, without their anchors. */
export const links = (text: string): readonly string[] =>
  [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, to = '']) => to.replace(/#.*$/, ''))
    .filter((to) => to !== '' && !/^[a-z]+:/.test(to))

/** Numbers of decision records that a text cites: `decision 095`, `decisions/095`, `[095](`. */
export const decisions = (text: string): readonly string[] =>
  [...text.matchAll(/\bdecisions?[ /](\d{3})\b|\[(\d{3})\]\(/g)].map(
    ([, word = '', link = '']) => word || link,
  )

const PATH = /`((?:src|server|sync|schema|workers|tests|docs|public|deploy)\/[\w./{},*-]*)`/g

/** Paths in backticks; NOUN and other capitals stand for any name. */
export const paths = (text: string): readonly string[] =>
  [...text.matchAll(PATH)].map(([, path = '']) => path.replace(/[A-Z]{3,}/g, '*'))

const FILE = /`([\w./-]+\.(?:tsx?|css|sql|json|html|md))`/g

/** Names of files in backticks, with or without folders; `NAMEScreen.tsx` is a pattern. */
export const fileNames = (text: string): readonly string[] =>
  [...text.matchAll(FILE)].flatMap(([, name = '']) => (/[A-Z]{4,}/.test(name) ? [] : [name]))

/** Titles of tests, which cite statements. */
export const titles = (text: string): readonly string[] =>
  text.match(
    /(?:\b(?:test|it|describe)[\w.]*(?:\([^()]*\))?|\])\s*(?:as const)?\)?\(\s*(['"`])[\s\S]*?\1/g,
  ) ?? []
