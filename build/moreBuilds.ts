import { build, type BuildOptions, type InlineConfig, type Plugin } from 'vite'
import { modules } from './classNames.ts'
import { sources } from './sources.ts'
import { modernDexie, target } from './target.ts'

const common: InlineConfig = { configFile: false, publicDir: false, logLevel: 'warn' }

export function moreBuilds(): Plugin {
  return {
    name: 'more-builds',
    apply: 'build',
    closeBundle: {
      order: 'post',
      sequential: true,
      async handler() {
        await build({ ...common, resolve: { alias: [modernDexie] }, build: background })
        await build({
          ...common,
          plugins: sources(),
          define: { 'process.env.NODE_ENV': '"production"' },
          css: { modules },
          // The server needs no dependencies of the screens.
          ssr: { noExternal: true },
          build: {
            ssr: 'src/prerender.tsx',
            target: 'esnext',
            outDir: 'dist/server',
            emptyOutDir: true,
          },
        })
      },
    },
  }
}

/** One file, which delivers while every tab is closed. */
const background: BuildOptions = {
  target,
  sourcemap: 'hidden',
  outDir: 'dist/web',
  emptyOutDir: false,
  rolldownOptions: {
    input: 'workers/service/background.ts',
    output: { entryFileNames: 'background.js', format: 'iife' },
    // Names of categories and places are half of the bytes; this worker writes no documents.
    external: /\/listing\/straighten\.ts$/,
  },
}
