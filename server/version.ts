import { readFileSync } from 'node:fs'
import * as v from 'valibot'

const manifest = v.parse(
  v.object({ version: v.string() }),
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')),
)

export const version = manifest.version
