export function classesIn(html: string): ReadonlySet<string> {
  return new Set(
    [...html.matchAll(/\sclass="([^"]*)"/g)].flatMap(([, names = '']) => names.split(' ')),
  )
}
