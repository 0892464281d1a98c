/** Id of the element with which the first glass of a phone ends: what is seen before anybody scrolls. */
export const VIEWPORT_END = 'viewport-end'

/** In the head of a page that brings a drawn screen: one frame shows the first glass as a whole, where a browser would lay out a part after every few milliseconds of reading. What comes below it is not waited for. */
export const RENDER_BLOCKING_LINK = `<link rel="expect" href="#${VIEWPORT_END}" blocking="render">`

/** What stands behind a drawn screen: nothing where the screen itself says where its first glass ends, else the end of it. */
export const viewportEndAfter = (screen: string): string =>
  screen.includes(` id="${VIEWPORT_END}"`) ? '' : `<i id="${VIEWPORT_END}" hidden></i>`

/** `rel` of a kept screen's scripts, which the first script makes `modulepreload` (src/start.ts): answered by the phone itself, they would come between before the screen is read. */
export const DEFERRED_REL = 'waiting'
