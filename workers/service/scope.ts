declare const self: ServiceWorkerGlobalScope & {
  readonly __WB_MANIFEST: readonly {
    readonly url: string
    readonly revision: string | null
    readonly soon?: true
  }[]
}

/** This service worker; the build writes its list of files in place of the name below. */
export const scope = self
const files = self.__WB_MANIFEST

/** What the first visit brings anyway, kept so that the app opens without a network: shell, first screens, engine. */
const firstVisit =
  /^(index\.html|manifest\.webmanifest|icon\.svg|assets\/(index|boot|main|rolldown-runtime|worker-sync)[-.])/

export const core = files.filter((file) => firstVisit.test(file.url))
/** What most visits open next, and what they open without a network: a phone that goes offline soon has these. */
const likely =
  /\/(ChosenFilters|ListingScreen|SignedIn|AuthScreen|SavedScreen|SettingsScreen|MessagesScreen|HelpScreen|useCooldown)-/
/** What /outbox is made of (the build marks it): the line that says that there is no network links there; and what delivers. */
export const soon = files
  .filter((file) => (file.soon && !firstVisit.test(file.url)) || /\/worker-deliver-/.test(file.url))
  .map((file) => `/${file.url}`)
/** Kept when the app has time (`keep-all`), or at first use; the likely ones first. */
export const rest = files
  .filter((file) => !firstVisit.test(file.url))
  .map((file) => `/${file.url}`)
  .toSorted((a, b) => Number(likely.test(b)) - Number(likely.test(a)))
/** Names the build: a screen kept by another one would ask for chunks that are gone. */
export const build = core.find((file) => /^assets\/index-[\w-]+\.js$/.test(file.url))?.url ?? ''
