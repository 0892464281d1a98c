/** What an oldest browser lacks and the built files name all the same, by the reason why the app works without. */
const reasons: Readonly<Record<string, readonly string[]>> = {
  'asked for before it is used': [
    '.addRoutes', '.setAppBadge', '.clearAppBadge', '.createPolicy', '.saveData', '.userAgentData', 'ImageDecoder',
    '.startViewTransition', '.viewTransition', '.updateCallbackDone', '.skipTransition', '.withResolvers', '.setImmediate', '.indexedDB',
  ],
  'a polyfill stands in for popovers (src/ui/popover.ts)': [
    'attribute popover', 'attribute popovertarget', 'attribute popovertargetaction', '.popoverTargetElement', '.popoverTargetAction',
    '.hidePopover', '.newState', '.oldState', '.ToggleEvent', 'selector :popover-open',
  ],
  'an event that never comes there, and is not needed': [
    'event sync', 'event freeze', 'event beforeinstallprompt', 'event appinstalled', 'event scrollend', '.userChoice',
    'event navigate', 'event navigatesuccess', 'event navigateerror', '.canIntercept', '.currentEntry',
  ],
  'a hint, which is passed over': [
    'attribute autocapitalize', 'attribute autocorrect', 'attribute capture', 'attribute fetchpriority', '.fetchPriority',
    'attribute imagesrcset', 'attribute imagesizes', '.imageSizes',
  ],
  'the name of something else': [
    'attribute alpha', 'attribute is', 'attribute switch', 'attribute watch', '.createContext', '.isError',
    '.displayName', '.marginTop', '.marginBottom', '.toArray', '.notEqual', 'Symbol.asyncDispose',
  ],
  'a look that is a little plainer without': [
    'property hyphens', 'property scrollbar-width', 'property field-sizing', 'property content-visibility', 'property contain-intrinsic-size',
    'property user-select', 'property text-wrap', 'property text-size-adjust', 'property -webkit-tap-highlight-color',
    'property scrollbar-gutter', 'property forced-color-adjust',
  ],
}

export const allowed: ReadonlySet<string> = new Set(Object.values(reasons).flat())
