import type { Plugin } from 'vite'
import { prependLine } from './prependLine.ts'

const everyStart = new Set(['boot', 'main'])

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
      handler: (_options, bundle) =>
        prependLine('//# allFunctionsCalledOnLoad', bundle, ({ name }) => everyStart.has(name)),
    },
  }
}
