import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'

/** Inlines tokens that never change at run time: each `var()` is resolved for every element. */
export function fixedTokens(): Plugin {
  const tokens = [
    ...readFileSync('src/ui/tokens.css', 'utf8').matchAll(/(--[\w-]+):\s*([^;]+);/g),
  ].map(([, name = '', value = '']): [string, string] => [name, value])
  const once = (name: string): boolean => tokens.filter(([one]) => one === name).length === 1
  const fixed = new Map(
    tokens.filter(([name, value]) => once(name) && !value.includes('light-dark(')),
  )
  return {
    name: 'fixed-tokens',
    apply: 'build',
    enforce: 'pre',
    transform(code, id) {
      if (!id.endsWith('.css')) return null
      const used = code.replaceAll(
        /var\((--[\w-]+)\)/g,
        (all, name: string) => fixed.get(name) ?? all,
      )
      return {
        code: used.replaceAll(/(--[\w-]+):[^;]+;/g, (all, name: string) =>
          fixed.has(name) ? '' : all,
        ),
        map: null,
      }
    },
  }
}
