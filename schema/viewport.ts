/** Marks the end of a phone's first viewport. */
export const VIEWPORT_END = 'viewport-end'

/** The browser paints the first viewport as a whole, and does not wait for what is below. */
export const RENDER_BLOCKING_LINK = `<link rel="expect" href="#${VIEWPORT_END}" blocking="render">`

/** `by`: for the first script (src/start.ts). */
export const rootWith = (screen: string, by: 'server' | 'phone') =>
  `<div id="root" data-prerendered="${by}">${screen}</div>` +
  // Unless the screen has one.
  (screen.includes(` id="${VIEWPORT_END}"`) ? '' : `<i id="${VIEWPORT_END}" hidden></i>`)

/** Inside a script element nothing is unescaped; only `<` could end it. */
export const scriptText = (value: unknown) => JSON.stringify(value).replaceAll('<', '\\u003c')

/** What the screen was rendered from (src/data/firstRender.ts). */
export const answersOf = (from: object) =>
  `<script type="application/json" id="first-answers">${scriptText(from)}</script>`

/**
 * Cached scripts load so fast that they would delay the first paint, so the first script
 * (src/start.ts) changes this `rel` to `modulepreload`.
 */
export const DEFERRED_REL = 'waiting'
