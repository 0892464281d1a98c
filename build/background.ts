import { build, type Plugin } from 'vite'
import { target } from './target.ts'

/** The background service worker, one file: delivers while every tab is closed. */
export function background(): Plugin {
  return {
    name: 'background',
    apply: 'build',
    closeBundle: {
      order: 'post',
      sequential: true,
      async handler() {
        const output = { entryFileNames: 'background.js', format: 'iife' as const }
        // Names of categories and places are half of the bytes; this worker writes no documents.
        const external = /\/listing\/straighten\.ts$/
        await build({
          configFile: false,
          publicDir: false,
          logLevel: 'warn',
          build: {
            target,
            sourcemap: 'hidden',
            outDir: 'dist/web',
            emptyOutDir: false,
            rolldownOptions: { input: 'workers/service/background.ts', output, external },
          },
        })
      },
    },
  }
}
