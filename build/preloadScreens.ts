import type { Plugin } from 'vite'

/** Names the files of the first screen in the page: they load beside the first script. */
export function preloadScreens(): Plugin {
  return {
    name: 'preload-screens',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {} }) {
        const chunks = new Map(
          Object.values(bundle).flatMap((chunk) =>
            chunk.type === 'chunk' ? [[chunk.fileName, chunk]] : [],
          ),
        )
        const main = [...chunks.values()].find((chunk) =>
          chunk.moduleIds.some((id) => id.endsWith('/src/main.tsx')),
        )
        const first = [...chunks.values()].find((chunk) => chunk.isEntry)
        if (!main || !first) throw new Error('preload-screens: no chunk for src/main.tsx')
        const withImports = (start: string) => {
          const files = new Set([start])
          for (const file of files)
            for (const needed of chunks.get(file)?.imports ?? []) files.add(needed)
          return files
        }
        const own = withImports(first.fileName)
        const files = withImports(main.fileName)
        const sheets = new Set(
          [...files].flatMap((file) => [...(chunks.get(file)?.viteMetadata?.importedCss ?? [])]),
        )
        return [
          ...[...sheets].map((file) => ({
            tag: 'link',
            attrs: { rel: 'stylesheet', crossorigin: true, href: `/${file}` },
            injectTo: 'head' as const,
          })),
          // The first ones use the connection that is already open, so the largest come first.
          ...[...files]
            .filter((file) => !own.has(file))
            .map((file) => ({
              tag: 'link',
              attrs:
                file === main.fileName
                  ? { rel: 'preload', as: 'script', href: `/${file}` }
                  : { rel: 'modulepreload', crossorigin: true, href: `/${file}` },
              injectTo: 'head-prepend' as const,
            })),
        ]
      },
    },
  }
}
