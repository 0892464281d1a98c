import { fileURLToPath } from 'node:url'
import { createReadStream } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { type Connect, defineConfig, type Plugin } from 'vite'
import { sources } from '../../build/sources.ts'

const repository = fileURLToPath(new URL('../..', import.meta.url))
const pictures = join(repository, 'server/demo/pictures')

/** Screens of the gallery read from `engine.ts` here instead of starting the data worker. */
function ownEngine(): Plugin {
  const replaced = join(repository, 'src/data/engine.ts')
  return {
    name: 'gallery-engine',
    enforce: 'pre',
    async resolveId(source, importer) {
      if (!source.endsWith('/engine.ts') || importer === undefined) return null
      const found = await this.resolve(source, importer, { skipSelf: true })
      return found?.id === replaced ? join(import.meta.dirname, 'engine.ts') : null
    },
  }
}

/** Photos are those of the demo market, at `/media/FILE/WIDTH.webp`. */
function demoPictures(): Plugin {
  return {
    name: 'gallery-pictures',
    configureServer: ({ middlewares }) => void middlewares.use('/media', sendPicture),
    configurePreviewServer: ({ middlewares }) => void middlewares.use('/media', sendPicture),
  }
}

const sendPicture: Connect.SimpleHandleFunction = (asked, answer) => {
  const file = createReadStream(join(pictures, basename(dirname(asked.url ?? ''))))
  file.on('error', () => answer.writeHead(404).end())
  file.on('open', () => answer.setHeader('content-type', 'image/webp'))
  file.pipe(answer)
}

export default defineConfig({
  root: import.meta.dirname,
  publicDir: join(repository, 'public'),
  cacheDir: join(repository, '.cache/gallery'),
  build: { outDir: join(repository, '.cache/gallery-built'), emptyOutDir: true },
  server: { fs: { allow: [repository] }, hmr: { overlay: false } },
  plugins: [ownEngine(), demoPictures(), sources()],
})
