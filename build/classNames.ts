import { globSync } from 'node:fs'
import { shortNames } from './shortNames.ts'

/** Stable between builds. Consonants form no words that content blockers match. */
const letters = 'bcfghjklmnpqrstvwxz'
const sheets = shortNames(
  globSync('src/**/*.module.css').map((path) => path.replaceAll('\\', '/')),
  letters,
)
function shortName(name: string, file: string, css: string) {
  const sheet = [...sheets].find(([path]) => file.endsWith(`/${path}`))?.[1]
  const at = [
    ...new Set(
      css
        .matchAll(/\.([A-Za-z][\w-]*)|@keyframes\s+([\w-]+)/g)
        .map(([, one, other]) => one ?? other),
    ),
  ].indexOf(name)
  if (sheet === undefined || at < 0) throw new Error(`shortName: ${name} of ${file}`)
  return `${sheet}${at}`
}
export const modules = { generateScopedName: shortName }
