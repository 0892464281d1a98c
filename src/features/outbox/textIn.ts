const TYPED = new Set([
  'content',
  'message',
  'comment',
  'title',
  'description',
  'bio',
  'shop_name',
  'name',
])

export function textIn(row: unknown) {
  const found = typed(row).filter((text) => text.trim() !== '')
  return found.length > 0 ? found.join('\n') : JSON.stringify(row)
}

function typed(value: unknown, depth = 0): string[] {
  if (typeof value !== 'object' || value === null || depth > 4) return []
  return Object.entries(value).flatMap(([name, part]) => {
    if (typeof part === 'string')
      return TYPED.has(name) && !(name === 'name' && depth === 0) ? [part] : []
    return typed(part, depth + 1)
  })
}
