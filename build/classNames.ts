import { globSync } from 'node:fs'

/** Stable between builds. Consonants form no words that content blockers match. */
const letters = 'bcfghjklmnpqrstvwxz'
const sheets = globSync('src/**/*.module.css').toSorted()
function shortName(name: string, file: string, css: string) {
  const sheet = sheets.findIndex((path) => file.endsWith(`/${path}`))
  const first = letters[Math.floor(sheet / letters.length)]
  const second = letters[sheet % letters.length]
  const at = [
    ...new Set(
      css
        .matchAll(/\.([A-Za-z][\w-]*)|@keyframes\s+([\w-]+)/g)
        .map(([, one, other]) => one ?? other),
    ),
  ].indexOf(name)
  if (first === undefined || second === undefined || at < 0)
    throw new Error(`shortName: ${name} of ${file}`)
  return `${first}${second}${at}`
}
export const modules = { generateScopedName: shortName }
