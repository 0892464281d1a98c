declare const self: {
  readonly __WB_MANIFEST: readonly {
    readonly url: string
    readonly revision?: string
    readonly soon?: true
  }[]
}

const files = self.__WB_MANIFEST

/** Opens the app offline: shell, first screens, engine. */
const firstVisit =
  /^(index\.html|manifest\.webmanifest|icon\.svg|assets\/(index|boot|main|rolldown-runtime|worker-sync)[-.])/

export const core = files.filter((file) => firstVisit.test(file.url))
/** Often opened next or offline. */
const likely = /\/(ChosenFilters|SignedIn|(Listing|Auth|Saved|Settings|Messages|Help)Screen)-/
/** /outbox (marked by the build), and the chunks that write and send it. */
export const soon = files
  .filter(
    ({ soon, url }) => (soon && !firstVisit.test(url)) || /worker-(writes|database)-/.test(url),
  )
  .map((file) => `/${file.url}`)
/** Cached when the app is idle (`keep-all`), or at first use. */
export const rest = files
  .filter((file) => !firstVisit.test(file.url))
  .map((file) => `/${file.url}`)
  .toSorted((a, b) => Number(likely.test(b)) - Number(likely.test(a)))
/** A screen cached by another build would request chunks that are gone. */
export const build = core.find((file) => /^assets\/index-[\w-]+\.js$/.test(file.url))?.url ?? ''
