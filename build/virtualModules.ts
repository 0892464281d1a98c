import type { Plugin } from 'vite'
import catalogue from '../schema/data/categories.json' with { type: 'json' }
import longTexts from '../schema/data/texts.json' with { type: 'json' }
import { filledLater, withoutBlanks } from '../src/locales/blanks.ts'

/** The part of the catalogue that the first screen needs, a hundredth of the file. */
export function categories(): Plugin {
  const id = '\0virtual:categories'
  return {
    name: 'categories',
    resolveId: (source) => (source === id.slice(1) ? id : null),
    load: (loaded) =>
      loaded === id
        ? `export default ${JSON.stringify(catalogue.categories.map(slim))}\n` +
          `export const aliases = ${JSON.stringify(otherNames)}`
        : null,
  }
}

const slim = ({
  slug,
  name,
  short,
  home_group,
  price,
}: (typeof catalogue.categories)[number]): unknown => ({
  slug,
  name,
  short,
  isMain: home_group === slug,
  absent: price.absent_label,
})

/** [D03] */
const otherNames = Object.fromEntries(
  Object.entries(catalogue.alias_index).filter(([alias, slug]) => alias !== slug),
)

/** Each long text is a module, so that a chat does not load the terms of use. */
export function texts(): Plugin {
  const prefix = '\0virtual:texts/'
  return {
    name: 'texts',
    resolveId: (id) => (id.startsWith(prefix.slice(1)) ? `\0${id}` : null),
    load(id) {
      if (!id.startsWith(prefix)) return null
      const part = parts[id.slice(prefix.length)]
      if (part === undefined)
        throw new Error(`texts: schema/data/texts.json has no ${id.slice(prefix.length)}`)
      // Braces in a pattern are not placeholders.
      const shown = id.endsWith('/scam_patterns')
        ? part
        : withoutBlanks(part, { ...longTexts.variables, ...filledLater })
      return `export default ${JSON.stringify(shown, withoutExamples)}`
    },
  }
}
const parts: Readonly<Record<string, unknown>> = longTexts
/** The examples of scam patterns are for tests. */
const withoutExamples = (name: string, value: unknown): unknown =>
  name.endsWith('match_examples') ? undefined : value
