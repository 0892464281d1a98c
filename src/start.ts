import './trusted.ts'
import { DEFERRED_REL } from '#schema/viewport'
import { holdEarlyInput } from './app/earlyInput.ts'
import { holdServiceMessages } from './data/serviceMessages.ts'

/**
 * The first script, kept tiny. A screen that this phone drew (data/screen.ts) is on the glass before any other script runs:
 * the app needs a third of a second of a slow phone's processor, and nobody should wait for that to see what is there already.
 * Its other scripts wait until the screen has been read, and are compiled while it is laid out.
 */
const kept = document.getElementById('root')?.dataset['drawn'] === 'phone'
const release = holdEarlyInput(kept)
holdServiceMessages()
for (const link of document.querySelectorAll(`link[rel=${DEFERRED_REL}]`))
  link.setAttribute('rel', link.hasAttribute('as') ? 'preload' : 'modulepreload')
if (kept && document.visibilityState === 'visible') requestAnimationFrame(afterFrame)
else boot()

/** A message comes as soon as the frame is done, a timer behind all that waits. */
function afterFrame(): void {
  const { port1, port2 } = new MessageChannel()
  port1.addEventListener('message', boot, { once: true })
  port1.start()
  port2.postMessage(null)
}

/** The data worker first, where it does not wait for React's file. */
function boot(): void {
  void import('./boot.ts')
  void import('./main.tsx').then(({ started }) => started).finally(release)
}
