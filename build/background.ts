import { build, type Plugin } from 'vite'
import { target } from './target.ts'

/**
 * The background service worker, which delivers while every tab is closed: a single file, loaded
 * when something first waits.
 */
export function background(): Plugin {
  return {
    name: 'background',
    apply: 'build',
    closeBundle: {
      order: 'post',
      sequential: true,
      async handler() {
        const output = { entryFileNames: 'background.js', format: 'iife' as const }
        // Category and place names are only for documents, which it never writes: half of its
        // bytes.
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
