import type { Plugin } from 'vite'
import { prependLine } from './prependLine.ts'

/**
 * Makes `main` a classic script, a function of its imports: Chromium caches compiled code only for
 * those (decision 061). Exports must not change (`import/no-mutable-exports`).
 */
export function classicMain(): Plugin {
  return {
    name: 'classic-main',
    apply: 'build',
    renderChunk(code, { fileName, imports }, _options, { chunks }) {
      const main = Object.values(chunks).find(({ name }) => name === 'main')
      const first = Object.values(chunks).find(({ isEntry }) => isEntry)
      if (!main || !first) throw new Error('classic-main: no chunk for src/main.tsx')
      if (fileName === main.fileName) return { code: asFunction(code), map: null }
      if (fileName === first.fileName) return { code: asCaller(code, main), map: null }
      return imports.includes(main.fileName)
        ? { code: importingFromMain(code, main.fileName, first.fileName), map: null }
        : null
    },
    generateBundle: {
      order: 'post',
      // The minifier drops the directive where it belongs: to it, all code is a module.
      handler: (_options, bundle) =>
        prependLine('"use strict";', bundle, ({ name }) => name === 'main'),
    },
  }
}

const NAMES = /^(?:import|export) \{ ([^}]+) \}(?: from "[^"]+")?;$/gm
const beside = (file: string): string => `./${file.split('/').at(-1)}`
/** Of `a as b, c` makes `a: b, c`: a destructuring pattern, or an object. */
const named = (names: string): string => `{ ${names.replaceAll(' as ', ': ')} }`

function asFunction(code: string): string {
  let needed = 0
  // Every line stays where it is, for the source map.
  const body = code.replaceAll(NAMES, (line: string, names: string) =>
    line.startsWith('import')
      ? `const ${named(names)} = needed[${needed++}];`
      : `return ${named(names.replaceAll(/([\w$]+) as ([\w$]+)/g, '$2 as $1'))};`,
  )
  if (/^(?:import|export)\b/m.test(body))
    throw new Error('classic-main: an import or export of a kind that is not known')
  return `self.main = (...needed) => { ${body} };`
}

function asCaller(
  code: string,
  main: { readonly fileName: string; readonly imports: readonly string[] },
): string {
  const asked = `import("${beside(main.fileName)}")`
  if (!code.includes(asked)) throw new Error('classic-main: the first script does not ask for main')
  return `${code.replace(asked, 'callMain()')}
let main;
async function callMain() {
  const script = document.createElement("script");
  const loaded = new Promise((done, fail) => {
    script.onload = done;
    script.onerror = () => fail(new Error("main did not come"));
  });
  script.src = "/${main.fileName}";
  document.head.append(script);
  const needed = await Promise.all([${main.imports.map((file) => `import("${beside(file)}")`).join(', ')}, loaded]);
  return (main = self.main(...needed));
}
export { main };`
}

/** Main has no exports: later chunks get them from the first script. */
function importingFromMain(code: string, main: string, first: string): string {
  const from = ` from "${beside(main)}";`
  const changed = code.replaceAll(NAMES, (line: string, names: string) =>
    line.endsWith(from)
      ? `import { main as fromMain } from "${beside(first)}"; const ${named(names)} = fromMain;`
      : line,
  )
  if (changed.includes(`"${beside(main)}"`))
    throw new Error('classic-main: an import of a kind that is not known')
  return changed
}
