const ID = 'whole'

/** In the head of a page that brings a drawn screen: one frame shows the screen as a whole, where a browser would lay out a part after every few milliseconds of reading. */
export const ALL_AT_ONCE = `<link rel="expect" href="#${ID}" blocking="render">`
/** Behind that screen: what the frame waits for. */
export const SCREEN_ENDS = `<i id="${ID}" hidden></i>`
