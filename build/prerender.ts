import { build, type Plugin } from 'vite'
import { modules } from './classNames.ts'
import { sources } from './sources.ts'

/** Builds the screens for the server, without dependencies. */
export function prerender(): Plugin {
  return {
    name: 'prerender',
    apply: 'build',
    closeBundle: {
      order: 'post',
      sequential: true,
      async handler() {
        await build({
          configFile: false,
          publicDir: false,
          logLevel: 'warn',
          plugins: sources(),
          define: { 'process.env.NODE_ENV': '"production"' },
          css: { modules },
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
