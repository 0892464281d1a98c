import type { Plugin, Rolldown } from 'vite'
import { prependLine } from './prependLine.ts'
import { shortNames } from './shortNames.ts'

/**
 * Makes `main` a classic script, a function of its imports: Chromium caches compiled code only for
 * those (decision 061). Exports must not change (`import/no-mutable-exports`).
 */
export const classicMain = (): Plugin[] => [scripts(), metadata()]

type Chunk = Readonly<{
  name: string
  fileName: string
  imports: readonly string[]
  exports: readonly string[]
}>

/** By file: the names of `main` and of what runs before it. */
function runningOf(main: Chunk, chunks: Readonly<Record<string, Chunk>>) {
  const running = new Map([[main.fileName, main.name]])
  for (const file of main.imports) running.set(file, chunks[file]?.name ?? file)
  for (const file of main.imports)
    if (!chunks[file]?.imports.every((one) => one !== main.fileName && running.has(one)))
      throw new Error(`classic-main: ${file} would run before main and needs more than main does`)
  return running
}

const mainOf = (chunks: readonly Chunk[]) => chunks.find(({ name }) => name === 'main')

/** Else Vite would list the styles of `main` in later chunks, whose names do not depend on them. */
function metadata(): Plugin {
  return {
    name: 'classic-main-metadata',
    apply: 'build',
    generateBundle: {
      order: 'pre',
      handler(_options, bundle) {
        const chunks = Object.fromEntries(
          Object.values(bundle).flatMap((one): [string, Rolldown.OutputChunk][] =>
            one.type === 'chunk' ? [[one.fileName, one]] : [],
          ),
        )
        const main = mainOf(Object.values(chunks))
        if (!main) return
        const running = runningOf(main, chunks)
        for (const chunk of Object.values(chunks))
          if (!running.has(chunk.fileName))
            chunk.imports = chunk.imports.filter((file) => !running.has(file))
      },
    },
  }
}

function scripts(): Plugin {
  return {
    name: 'classic-main',
    apply: 'build',
    renderChunk(code, { fileName, imports }, _options, { chunks }) {
      const main = mainOf(Object.values(chunks))
      const first = Object.values(chunks).find(({ isEntry }) => isEntry)
      if (!main || !first) throw new Error('classic-main: no chunk for src/main.tsx')
      const exported = exportsOf(main)
      if (fileName === main.fileName) return { code: asFunction(code, exported), map: null }
      if (fileName === first.fileName)
        return { code: asCaller(code, main, (file) => chunks[file]?.name ?? file), map: null }
      const running = runningOf(main, chunks)
      return !running.has(fileName) && imports.some((file) => running.has(file))
        ? { code: fromRunning(code, running, exported), map: null }
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
const beside = (file: string) => `./${file.split('/').at(-1)}`
/** Of `a as b, c` makes `a: b, c: c`: a destructuring pattern, or an object. */
const named = (names: string, short?: Names) =>
  names.replaceAll(
    /([\w$]+)(?: as ([\w$]+))?/g,
    (_all, name: string, local = name) => `${short?.get(name) ?? name}: ${local}`,
  )

type Names = ReadonlyMap<string, string>

/** Of `main`, save what the first script reads once it is imported. */
const exportsOf = (main: Chunk) =>
  shortNames(
    main.exports.filter((name) => !/^started$|_exports$/.test(name)),
    'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ',
  )

function asFunction(code: string, exported: Names) {
  let needed = 0
  // Every line stays where it is, for the source map.
  const body = code.replaceAll(NAMES, (line: string, names: string) =>
    line.startsWith('import')
      ? `const { ${named(names)} } = needed[${needed++}];`
      : `return { ${named(names.replaceAll(/([\w$]+) as ([\w$]+)/g, '$2 as $1'), exported)} };`,
  )
  if (/^(?:import|export)\b/m.test(body))
    throw new Error('classic-main: an import or export of a kind that is not known')
  return `self.main = (...needed) => { ${body} };`
}

function asCaller(
  code: string,
  main: { readonly fileName: string; readonly imports: readonly string[] },
  nameOf: (file: string) => string,
) {
  const asked = `import("${beside(main.fileName)}")`
  if (!code.includes(asked)) throw new Error('classic-main: the first script does not ask for main')
  const needed = main.imports.map((file, at) => `"${nameOf(file)}": needed[${at}]`)
  return `${code.replace(asked, 'callMain()')}
async function callMain() {
  const script = document.createElement("script");
  const loaded = new Promise((done, fail) => {
    script.onload = done;
    script.onerror = () => fail(new Error("main did not come"));
  });
  script.src = "/${main.fileName}";
  document.head.append(script);
  const needed = await Promise.all([${main.imports.map((file) => `import("${beside(file)}")`).join(', ')}, loaded]);
  self.running = { ${['main: self.main(...needed)', ...needed].join(', ')} };
  return self.running.main;
}`
}

/**
 * Later chunks get exports of `main` and its imports from `self`: importing them would name files
 * that name every screen, so that a change of one screen would change the names of all. `running`:
 * names by file.
 */
function fromRunning(code: string, running: Names, exported: Names) {
  let changed = code
  for (const [file, name] of running) {
    const from = ` from "${beside(file)}";`
    changed = changed.replaceAll(NAMES, (line: string, names: string) =>
      line.endsWith(from)
        ? `const { ${named(names, name === 'main' ? exported : undefined)} } = self.running["${name}"];`
        : line,
    )
    if (changed.includes(`"${beside(file)}"`))
      throw new Error('classic-main: an import of a kind that is not known')
  }
  return changed
}
