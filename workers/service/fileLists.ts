import { ASSETS, type KeptFiles } from '#schema/port/service'

declare const self: {
  readonly __WB_MANIFEST: readonly {
    readonly url: string
    readonly revision?: string
    /** Marked by the build. 1: outbox and listing · 2: an offline start · none: all others. */
    readonly soon?: 1 | 2
  }[]
}

/** Listed by the build, what opens offline first. */
const files = self.__WB_MANIFEST

/** Opens the app offline: shell, first screens, engine. */
const firstVisit =
  /^(index\.html|manifest\.webmanifest|icon\.svg|assets\/(index|boot|main|rolldown-runtime|worker-sync)[-.])/

export const core = files.filter((file) => firstVisit.test(file.url))
const others = files
  .filter((file) => !firstVisit.test(file.url))
  .map(({ url, soon = 3 }) => ({ path: `/${url}`, soon }))
const sets: readonly unknown[] = ['outbox', 'offline', 'all'] satisfies KeptFiles[]

const withoutHash = (path: string) => path.replace(/-[\w-]{8}(?=\.\w+$)/, '')

/**
 * Cached when asked for [S13.72]: a set, or these paths with their styles, which a page of the
 * server has inline.
 */
export function filesOf(asked: unknown): readonly string[] {
  const paths = Array.isArray(asked) ? asked.map(String) : null
  const styles = paths?.map((path) => withoutHash(path).replace(/js$/, 'css'))
  const isWanted = ({ path, soon }: (typeof others)[number]) =>
    paths
      ? paths.includes(path) || styles?.includes(withoutHash(path))
      : soon <= sets.indexOf(asked) + 1
  return others.filter(isWanted).map(({ path }) => path)
}

/** This build's version of what is cached. */
export async function renewed() {
  const cache = await caches.open(ASSETS)
  const kept = (await cache.keys()).map(({ url }) => withoutHash(new URL(url).pathname))
  return filesOf('all').filter((path) => kept.includes(withoutHash(path)))
}

/** A screen cached by another build would request chunks that are gone. */
export const build = core.find((file) => /^assets\/index-[\w-]+\.js$/.test(file.url))?.url ?? ''
