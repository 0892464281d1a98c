import { stableJson } from './stableJson.ts'

interface Asked {
  readonly name: string
  readonly params: object
}

export function questionKey({ name, params }: Asked) {
  return stableJson({ name, params })
}

/** The same for every length of a list. */
export function listKey({ name, params }: Asked) {
  return questionKey({ name, params: { ...params, limit: undefined } })
}

/** The same for every length and reading: the first screen starts both anew. */
export function firstKey({ name, params }: Asked) {
  return listKey({ name, params: { ...params, from: undefined } })
}

export function limitOf({ params }: Asked) {
  return 'limit' in params && typeof params.limit === 'number' ? params.limit : null
}
