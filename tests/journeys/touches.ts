import type { Page } from '@playwright/test'

export type Finger = readonly [x: number, y: number]

/** Between two touch events, s: a slow machine must not turn a double tap into two taps. */
const STEP_S = 0.02

/** Real touches: the browser decides what is a scroll, as it does for a hand. */
export async function touches(page: Page): Promise<(fingers: readonly Finger[]) => Promise<void>> {
  const client = await page.context().newCDPSession(page)
  let down = 0
  let at = Date.now() / 1000
  return async (fingers) => {
    const type =
      fingers.length === 0 ? 'touchEnd' : fingers.length > down ? 'touchStart' : 'touchMove'
    down = fingers.length
    at += STEP_S
    await client.send('Input.dispatchTouchEvent', {
      type,
      timestamp: at,
      touchPoints: fingers.map(([x, y], id) => ({ x, y, id })),
    })
  }
}
