/** Id of the element at the end of the first viewport of a phone. */
export const VIEWPORT_END = 'viewport-end'

/**
 * For the head of a prerendered page: the browser paints the first viewport as a whole, and does
 * not wait for what is below.
 */
export const RENDER_BLOCKING_LINK = `<link rel="expect" href="#${VIEWPORT_END}" blocking="render">`

/** `by` tells the first script (src/start.ts) who rendered the screen. */
export const rootWith = (screen: string, by: 'server' | 'phone'): string =>
  `<div id="root" data-prerendered="${by}">${screen}</div>` +
  // The end marker, unless the screen has one.
  (screen.includes(` id="${VIEWPORT_END}"`) ? '' : `<i id="${VIEWPORT_END}" hidden></i>`)

/** Inside a script element nothing is unescaped; only `<` could end it. */
export const scriptText = (value: unknown): string =>
  JSON.stringify(value).replaceAll('<', '\\u003c')

/** What the screen was rendered from (src/data/firstRender.ts). */
export const answersOf = (from: object): string =>
  `<script type="application/json" id="first-answers">${scriptText(from)}</script>`

/**
 * `rel` of a cached screen's scripts; the first script changes it to `modulepreload`
 * (src/start.ts). Cached scripts load so fast that they would delay the first paint.
 */
export const DEFERRED_REL = 'waiting'
