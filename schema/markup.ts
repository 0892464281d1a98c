/** The classes that stand in a page, as HTML. */
export function classesIn(html: string): ReadonlySet<string> {
  return new Set(
    [...html.matchAll(/\sclass="([^"]*)"/g)].flatMap(([, names = '']) => names.split(' ')),
  )
}
