/** Files and server-only paths are no screens. */
export function isScreen(pathname: string): boolean {
  return !/^\/(api|media|ws|metrics)\b|\/[^/]+\.[a-z0-9]+$/i.test(pathname)
}
