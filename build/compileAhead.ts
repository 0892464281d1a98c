import type { Plugin } from 'vite'

/**
 * Marks the scripts of every start, to be compiled eagerly off the main thread and cached
 * (https://v8.dev/blog/explicit-compile-hints). Only the first line counts.
 */
export function compileAhead(): Plugin {
  return {
    name: 'compile-ahead',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        for (const chunk of Object.values(bundle)) {
          if (chunk.type !== 'chunk' || !/^(?:boot|main)$/.test(chunk.name)) continue
          chunk.code = `//# allFunctionsCalledOnLoad\n${chunk.code}`
          // The source map moves down one line.
          const map = bundle[`${chunk.fileName}.map`]
          if (map?.type !== 'asset') throw new Error(`compile-ahead: no map of ${chunk.fileName}`)
          map.source = String(map.source).replace('"mappings":"', '"mappings":";')
        }
      },
    },
  }
}
