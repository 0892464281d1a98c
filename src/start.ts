import './trusted.ts'
import { DEFERRED_REL } from '#schema/viewport'
import { holdEarlyInput } from './app/earlyInput.ts'
import { holdServiceMessages } from './data/serviceMessages.ts'

/** Tiny: cached HTML shows before the scripts, which take a third of a second on a slow phone. */
const kept = document.getElementById('root')?.dataset['prerendered'] === 'phone'
const SLOW_MS = 250
const release = holdEarlyInput(kept)
holdServiceMessages()
for (const link of document.querySelectorAll(`link[rel=${DEFERRED_REL}]`))
  link.setAttribute('rel', link.hasAttribute('as') ? 'preload' : 'modulepreload')
holdPhotos()
if (kept && document.visibilityState === 'visible') requestAnimationFrame(afterFrame)
else boot()

/** On a slow line the photos in sight wait until the scripts are in, those below for a scroll. */
function holdPhotos() {
  const { dataset } = document.documentElement
  const show = () => (dataset['scripts'] = '')
  const scrolled = () => (dataset['scrolled'] = '')
  addEventListener('scroll', scrolled, { once: true, passive: true, capture: true })
  const script = document.querySelector<HTMLLinkElement>('link[rel=preload][as=script]')
  const [page] = performance.getEntriesByType('navigation')
  const isSlow =
    page instanceof PerformanceNavigationTiming && page.responseStart - page.requestStart > SLOW_MS
  if (kept || !script || !isSlow || performance.getEntriesByName(script.href).length > 0) show()
  else for (const end of ['load', 'error']) script.addEventListener(end, show, { once: true })
}

/** A message arrives right after the frame; a timer would queue behind other tasks. */
function afterFrame() {
  const { port1, port2 } = new MessageChannel()
  port1.addEventListener('message', boot, { once: true })
  port1.start()
  port2.postMessage(null)
}

/** The data worker starts first, so it does not wait for React's chunk. */
function boot() {
  void import('./boot.ts')
  void import('./main.tsx').then(({ started }) => started).finally(release)
}
