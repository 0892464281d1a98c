import './popover.css'

/** Safari before 17 has no popovers. */
if (!import.meta.env.SSR && !('popover' in HTMLElement.prototype)) {
  import('@oddbird/popover-polyfill').catch((error: unknown) => console.warn('popover', error))
}
