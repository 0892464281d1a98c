declare const self: {
  readonly __WB_MANIFEST: readonly {
    readonly url: string
    readonly revision?: string
    readonly soon?: true
  }[]
}

/** The build replaces `__WB_MANIFEST` with its list of files. */
const files = self.__WB_MANIFEST

/** Files of the first visit, cached so that the app opens offline: shell, first screens, engine. */
const firstVisit =
  /^(index\.html|manifest\.webmanifest|icon\.svg|assets\/(index|boot|main|rolldown-runtime|worker-sync)[-.])/

export const core = files.filter((file) => firstVisit.test(file.url))
/** Files users most often open next or offline, cached first. */
const likely = new RegExp(
  `/(${[
    'ChosenFilters',
    'ListingScreen',
    'SignedIn',
    'AuthScreen',
    'SavedScreen',
    'SettingsScreen',
    'MessagesScreen',
    'HelpScreen',
  ].join('|')})-`,
)
/** The files of /outbox (marked by the build), and the chunks that write and send it. */
export const soon = files
  .filter(
    ({ soon, url }) => (soon && !firstVisit.test(url)) || /worker-(writes|database)-/.test(url),
  )
  .map((file) => `/${file.url}`)
/** Cached when the app is idle (`keep-all`) or at first use; the likely ones first. */
export const rest = files
  .filter((file) => !firstVisit.test(file.url))
  .map((file) => `/${file.url}`)
  .toSorted((a, b) => Number(likely.test(b)) - Number(likely.test(a)))
/** Identifies the build: a screen cached by another build would request chunks that are gone. */
export const build = core.find((file) => /^assets\/index-[\w-]+\.js$/.test(file.url))?.url ?? ''
