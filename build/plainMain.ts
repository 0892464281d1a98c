import type { Plugin } from 'vite'

/**
 * Makes `main` a classic script, since Chromium uses cached code only for those (decision 061): a
 * function of its imports. Exports must not change (`import/no-mutable-exports`).
 */
export function plainMain(): Plugin {
  return {
    name: 'plain-main',
    apply: 'build',
    renderChunk(code, { fileName, imports }, _options, { chunks }) {
      const main = Object.values(chunks).find(({ name }) => name === 'main')
      const first = Object.values(chunks).find(({ isEntry }) => isEntry)
      if (!main || !first) throw new Error('plain-main: no chunk for src/main.tsx')
      if (fileName === main.fileName) return { code: asFunction(code), map: null }
      if (fileName === first.fileName) return { code: asCaller(code, main), map: null }
      return imports.includes(main.fileName)
        ? { code: asGuest(code, main.fileName, first.fileName), map: null }
        : null
    },
  }
}

const NAMES = /^(?:import|export) \{ ([^}]+) \}(?: from "[^"]+")?;$/gm
/** A chunk's path relative to another one of the same folder. */
const beside = (file: string): string => `./${file.split('/').at(-1)}`
/** `a as b, c` of an import or a reversed export, as a destructuring pattern or object. */
const named = (names: string): string => `{ ${names.replaceAll(' as ', ': ')} }`

function asFunction(code: string): string {
  let needed = 0
  // every line stays where it is, for the source map
  const body = code.replaceAll(NAMES, (line: string, names: string) =>
    line.startsWith('import')
      ? `const ${named(names)} = needed[${needed++}];`
      : `return ${named(names.replaceAll(/([\w$]+) as ([\w$]+)/g, '$2 as $1'))};`,
  )
  if (/^(?:import|export)\b/m.test(body))
    throw new Error('plain-main: an import or export of a kind that is not known')
  return `self.main = (...needed) => { "use strict"; ${body} };`
}

function asCaller(
  code: string,
  main: { readonly fileName: string; readonly imports: readonly string[] },
): string {
  const asked = `import("${beside(main.fileName)}")`
  if (!code.includes(asked)) throw new Error('plain-main: the first script does not ask for main')
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

/** The later chunks run after main: its exports are available. */
function asGuest(code: string, main: string, first: string): string {
  const from = ` from "${beside(main)}";`
  const changed = code.replaceAll(NAMES, (line: string, names: string) =>
    line.endsWith(from)
      ? `import { main as fromMain } from "${beside(first)}"; const ${named(names)} = fromMain;`
      : line,
  )
  if (changed.includes(`"${beside(main)}"`))
    throw new Error('plain-main: an import of a kind that is not known')
  return changed
}
