import type { Rolldown } from 'vite'

/** Puts a line before a finished chunk, which its source map follows. */
export function prependLine(
  line: string,
  bundle: Rolldown.OutputBundle,
  isMeant: (chunk: Rolldown.OutputChunk) => boolean,
) {
  for (const chunk of Object.values(bundle)) {
    if (chunk.type !== 'chunk' || !isMeant(chunk)) continue
    chunk.code = `${line}\n${chunk.code}`
    const map = bundle[`${chunk.fileName}.map`]
    if (map?.type !== 'asset') throw new Error(`no source map of ${chunk.fileName}`)
    map.source = String(map.source).replace('"mappings":"', '"mappings":";')
  }
}
