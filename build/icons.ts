import { resolve } from 'node:path'
import * as v from 'valibot'
import type { Plugin } from 'vite'

const component = resolve(import.meta.dirname, '../src/ui/icon.tsx')

const lucideIcon = v.object({
  __iconData: v.object({
    node: v.array(v.tuple([v.string(), v.record(v.string(), v.string())])),
  }),
})

/**
 * Compiles each lucide icon to one path of one component (src/ui/icon.tsx): every shape costs
 * layout, every component hydration.
 */
export const icons = (): Plugin[] => [
  {
    name: 'icon-files',
    apply: 'build',
    enforce: 'pre',
    transform(code) {
      const split = code.replace(iconImport, importsOf)
      return split === code ? null : { code: split, map: null }
    },
  },
  {
    name: 'icons',
    apply: 'build',
    async transform(code, id) {
      // Files without a shape are aliases.
      if (
        !/lucide-react\/dist\/esm\/icons\/[\w-]+\.mjs$/.test(id) ||
        !code.includes('createLucideIcon')
      )
        return null
      const { __iconData: icon } = v.parse(lucideIcon, await import(id))
      const path = icon.node.map(([kind, shape]) => pathOf(kind, shape)).join('')
      return {
        code:
          `import { icon } from '${component}'\n` +
          `export default /* @__PURE__ */ icon(${JSON.stringify(path)})`,
        map: null,
      }
    },
  },
]

const iconImport = /import \{([^}]+)\} from 'lucide-react'/g
/** One file per icon: chunks.ts would follow the file of all icons. The lines stay in place. */
const importsOf = (_line: string, names: string) =>
  names.replaceAll(/(\w+)(?: as (\w+))?,?/g, (_name, icon: string, local = icon) => {
    const file = icon.replaceAll(/(?!^)[A-Z\d]/g, '-$&').toLowerCase()
    return `import ${local} from 'lucide-react/icons/${file}';`
  })

function pathOf(kind: string, shape: Readonly<Record<string, string>>) {
  const at = (name: string) => Number(shape[name] ?? 0)
  const corner = (x: number, y: number) =>
    `a${at('rx')} ${at('rx')} 0 0 1 ${x * at('rx')} ${y * at('rx')}`
  switch (kind) {
    case 'path':
      return (shape['d'] ?? '').replace(/^m/, 'M0 0m')
    case 'line':
      return `M${at('x1')} ${at('y1')}L${at('x2')} ${at('y2')}`
    case 'circle':
      return (
        `M${at('cx') - at('r')} ${at('cy')}a${at('r')} ${at('r')} 0 1 0 ${2 * at('r')} 0` +
        `a${at('r')} ${at('r')} 0 1 0 ${-2 * at('r')} 0z`
      )
    case 'rect': {
      const [wide, high] = [at('width') - 2 * at('rx'), at('height') - 2 * at('rx')]
      return (
        `M${at('x') + at('rx')} ${at('y')}h${wide}${corner(1, 1)}v${high}${corner(-1, 1)}` +
        `h${-wide}${corner(-1, -1)}v${-high}${corner(1, -1)}z`
      )
    }
    default:
      throw new Error(`icons: no path for ${kind}`)
  }
}
