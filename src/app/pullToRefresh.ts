import { refreshShown } from '../data/read.ts'
import { wantsLessMovement } from '../ui/vibrate.ts'
import css from './Layout.module.css'

const PULL_PX = 120
const FOLLOW_PX = 64
const SHOWN_MS = 500
const SVG = 'http://www.w3.org/2000/svg'
const LISTS = /^\/(?:$|listings$|browse$|saved$|messages$|notifications$|profile$|shop\/)/

/** [S13.08] For an installed app: not every browser pulls by itself. */
export function pullToRefresh() {
  const sign = document.createElement('div')
  sign.dataset['pull'] = ''
  sign.setAttribute('aria-hidden', 'true')
  const arrow = document.createElementNS(SVG, 'svg')
  arrow.setAttribute('viewBox', '0 0 24 24')
  arrow.classList.add('lucide')
  arrow.append(document.createElementNS(SVG, 'path'))
  arrow.firstElementChild?.setAttribute('d', 'M21 12a9 9 0 1 1-2.6-6.4L21 8M21 3v5h-5')
  sign.append(arrow)
  sign.className = css.pull ?? ''
  document.body.append(sign)
  // Else the browser pulls, too, and loads the whole page again.
  document.documentElement.style.overscrollBehaviorY = 'contain'

  let from: number | null = null
  let pulled = 0
  let busy = false

  const show = (share: number) => {
    pulled = share
    sign.style.opacity = String(Math.min(1, share))
    sign.style.transform = wantsLessMovement()
      ? `translateY(${share > 0 ? FOLLOW_PX : 0}px)`
      : `translateY(${Math.min(share, 1.2) * FOLLOW_PX}px) rotate(${share * 270}deg)`
  }

  addEventListener(
    'touchstart',
    ({ touches: [first, ...others], target }) => {
      const free =
        !busy &&
        others.length === 0 &&
        scrollY <= 0 &&
        LISTS.test(location.pathname) &&
        target instanceof Element &&
        target.closest('dialog, [popover], input, textarea') === null
      from = free && first ? first.clientY : null
      sign.dataset['pull'] = ''
    },
    { passive: true },
  )
  addEventListener(
    'touchmove',
    ({ touches: [first] }) => {
      if (from === null || !first) return
      if (scrollY > 0) from = null
      show(from === null ? 0 : Math.max(0, first.clientY - from) / PULL_PX)
    },
    { passive: true },
  )
  const release = () => {
    if (from === null) return
    from = null
    const wanted = pulled >= 1
    sign.dataset['pull'] = 'released'
    show(wanted ? 1 : 0)
    if (wanted) void fetchAgain()
  }
  addEventListener('touchend', release)
  addEventListener('touchcancel', () => {
    pulled = 0
    release()
  })

  async function fetchAgain() {
    busy = true
    sign.dataset['pull'] = 'busy'
    const turn = wantsLessMovement()
      ? null
      : arrow.animate({ rotate: ['0deg', '360deg'] }, { duration: 800, iterations: Infinity })
    await Promise.all([refreshShown(), new Promise((done) => setTimeout(done, SHOWN_MS))])
    turn?.cancel()
    sign.dataset['pull'] = 'released'
    busy = false
    show(0)
  }
}
