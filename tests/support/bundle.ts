import { dirname, resolve } from 'node:path'
import { build, type InlineConfig, type Plugin, type Rolldown } from 'vite'

const root = resolve(import.meta.dirname, '../..')

type Output = Rolldown.OutputAsset | Rolldown.OutputChunk

/**
 * Builds modules of memory for a test of a plugin: `files` by their path in the repository, the
 * first is the entry. Resolves to what is written, by file name without hash.
 */
export async function bundle(
  files: Readonly<Record<string, string>>,
  { build: options, ...config }: InlineConfig = {},
): Promise<ReadonlyMap<string, string>> {
  const results = await build({
    root,
    configFile: false,
    publicDir: false,
    logLevel: 'silent',
    ...config,
    plugins: [inMemory(files), config.plugins],
    build: {
      write: false,
      minify: false,
      target: 'esnext',
      modulePreload: false,
      ...options,
      rolldownOptions: {
        input: resolve(root, Object.keys(files)[0] ?? ''),
        preserveEntrySignatures: 'allow-extension',
        ...options?.rolldownOptions,
        output: {
          entryFileNames: '[name].js',
          chunkFileNames: '[name].js',
          assetFileNames: '[name][extname]',
          ...options?.rolldownOptions?.output,
        },
      },
    },
  })
  if (!('output' in results)) throw new Error('bundle: more than one output')
  return new Map(results.output.map((file: Output) => [file.fileName, textOf(file)]))
}

const textOf = (file: Output): string => (file.type === 'chunk' ? file.code : String(file.source))

function inMemory(files: Readonly<Record<string, string>>): Plugin {
  const texts = new Map(Object.entries(files).map(([path, text]) => [resolve(root, path), text]))
  return {
    name: 'in-memory',
    enforce: 'pre',
    resolveId(source, importer) {
      const path = importer ? resolve(dirname(importer), source) : source
      return texts.has(path) ? path : null
    },
    load: (id) => texts.get(id) ?? null,
  }
}
