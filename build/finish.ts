import { globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'

/** Moves source maps away, for error reports; the start time identifies a complete build. */
export function finish(): Plugin {
  const began = Date.now()
  let written = false
  return {
    name: 'finish',
    apply: 'build',
    writeBundle() {
      written = true
    },
    closeBundle: {
      order: 'post',
      sequential: true,
      handler() {
        // A failed build reports its own error.
        if (!written) return
        rmSync('dist/maps', { recursive: true, force: true })
        for (const name of globSync('dist/web/**/*.map')) {
          const kept = name.replace('dist/web', 'dist/maps')
          mkdirSync(dirname(kept), { recursive: true })
          renameSync(name, kept)
        }
        for (const name of globSync('dist/web/**/*.{html,js,css,svg,json,webmanifest,txt}')) {
          const text = readFileSync(name)
          if (text.length < 512) continue
          writeFileSync(`${name}.br`, brotliCompressSync(text))
          writeFileSync(`${name}.gz`, gzipSync(text, { level: 9 }))
        }
        writeFileSync(
          'dist/web/.vite/built.json',
          JSON.stringify({ began, apiRoot: process.env['VITE_API_ROOT'] ?? null }),
        )
      },
    },
  }
}
