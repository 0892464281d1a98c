/** Id of the element at the end of the first viewport of a phone. */
export const VIEWPORT_END = 'viewport-end'

/**
 * For the head of a prerendered page: the browser paints the first viewport as a whole, and does
 * not wait for what is below.
 */
export const RENDER_BLOCKING_LINK = `<link rel="expect" href="#${VIEWPORT_END}" blocking="render">`

/** Markup to append to a prerendered screen: the end marker, unless the screen has one. */
export const viewportEndAfter = (screen: string): string =>
  screen.includes(` id="${VIEWPORT_END}"`) ? '' : `<i id="${VIEWPORT_END}" hidden></i>`

/**
 * `rel` of a cached screen's scripts; the first script changes it to `modulepreload`
 * (src/start.ts). Cached scripts load so fast that they would delay the first paint.
 */
export const DEFERRED_REL = 'waiting'
