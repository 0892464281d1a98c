import type { PrecacheEntry } from 'workbox-precaching'

declare const self: ServiceWorkerGlobalScope & { readonly __WB_MANIFEST: readonly (PrecacheEntry | string)[] }

/** This service worker; the build writes its list of files in place of the name below. */
export const scope = self
const files = self.__WB_MANIFEST.map((entry) => (typeof entry === 'string' ? { url: entry, revision: null } : { url: entry.url, revision: entry.revision ?? null }))

/** What the first visit must bring so that the app opens without a network: shell, engine, and the screens people open daily. */
const firstVisit = /^(index\.html|manifest\.webmanifest|icon\.svg|assets\/(index|main|compiler-runtime|preload-helper|worker|HomeScreen|BrowseScreen|ListingScreen|MessagesScreen|fr|first|shared)[-.])/

export const core = files.filter((file) => firstVisit.test(file.url))
/** Kept when the app has time (`keep-all`), or at first use. */
export const rest = files.filter((file) => !firstVisit.test(file.url)).map((file) => `/${file.url}`)
/** Names the build: a screen kept by another one would ask for chunks that are gone. */
export const build = core.find((file) => /^assets\/index-[\w-]+\.js$/.test(file.url))?.url ?? ''
