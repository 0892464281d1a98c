/** Id of the element with which the first glass of a phone ends: what is seen before anybody scrolls. */
export const GLASS_END = 'glass'

/** In the head of a page that brings a drawn screen: one frame shows the first glass as a whole, where a browser would lay out a part after every few milliseconds of reading. What comes below it is not waited for. */
export const SHOWN_AT_ONCE = `<link rel="expect" href="#${GLASS_END}" blocking="render">`

/** What stands behind a drawn screen: nothing where the screen itself says where its first glass ends, else the end of it. */
export const endBehind = (screen: string): string => (screen.includes(` id="${GLASS_END}"`) ? '' : `<i id="${GLASS_END}" hidden></i>`)

/** `rel` of a kept screen's scripts, which the first script makes `modulepreload` (src/start.ts): answered by the phone itself, they would come between before the screen is read. */
export const WAITING = 'waiting'
