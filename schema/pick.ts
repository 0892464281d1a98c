export function pick<T extends object, N extends keyof T>(
  object: T,
  names: readonly N[],
): Pick<T, N>
export function pick(object: object, names: readonly PropertyKey[]): object {
  return Object.fromEntries(names.map((name) => [name, Reflect.get(object, name)]))
}
