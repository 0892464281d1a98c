import packageJson from '../package.json' with { type: 'json' }

/** The last Chrome for Android 8 and 9, and Safari with web push. */
export const target = packageJson.browserslist.map((browser) => browser.replace(' >= ', ''))

/** The package's own entry is for browsers without classes. */
export const modernDexie = { find: /^dexie$/, replacement: 'dexie/dist/modern/dexie.mjs' }
