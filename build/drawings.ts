import { readFile } from 'node:fs/promises'
import { type Plugin, transformWithOxc } from 'vite'

/** `FILE.svg?react`: the SVG as a component; its classes are those of drawings.module.css. */
export function drawings(): Plugin {
  return {
    name: 'drawings',
    enforce: 'pre',
    load: {
      filter: { id: /\.svg\?react$/ },
      async handler(id) {
        const svg = await readFile(id.replace('?react', ''), 'utf8')
        const jsx = svg
          .replace(/<\?.*?\?>|<!--.*?-->| xmlns="[^"]*"/gs, '')
          .replace(/ class="(\w+)"/g, ' className={css.$1}')
          .replace(/ stroke-(\w)/g, (_, letter: string) => ` stroke${letter.toUpperCase()}`)
          .trim()
        const styles = jsx.includes('{css.') ? `import css from './drawings.module.css'\n` : ''
        const code = `${styles}export default () => ${jsx}`
        return transformWithOxc(code, `${id}.jsx`, { jsx: { runtime: 'automatic' } })
      },
    },
  }
}
